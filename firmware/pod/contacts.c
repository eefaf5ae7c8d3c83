#include "contacts.h"

#include <util/delay_basic.h>

#include "gpio.h"

uint8_t contacts_closed(void)
{
    uint8_t closed = 0;

    if (!GPIO_READ(BUTTON_1))
        closed |= _BV(0);
    if (!GPIO_READ(BUTTON_2))
        closed |= _BV(1);
    if (!GPIO_READ(BUTTON_3))
        closed |= _BV(2);
    if (!GPIO_READ(BUTTON_4))
        closed |= _BV(3);
    if (!GPIO_READ(BUTTON_5))
        closed |= _BV(4);
    if (!GPIO_READ(BUTTON_6))
        closed |= _BV(5);
    return closed;
}

void contacts_begin(void)
{
    /* Inputs since reset; high means the pull-up is on. */
    GPIO_HIGH(BUTTON_1);
    GPIO_HIGH(BUTTON_2);
    GPIO_HIGH(BUTTON_3);
    GPIO_HIGH(BUTTON_4);
    GPIO_HIGH(BUTTON_5);
    GPIO_HIGH(BUTTON_6);
    _delay_loop_1(200); /* 37 us */
}
