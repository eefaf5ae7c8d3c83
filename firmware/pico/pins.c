#include "../pod/contacts.h"
#include "../pod/signs.h"
#include "board.h"
#include "pico_pins.h"
#include "registers.h"

#define CHARGED_US 40

void pin_input(uint8_t pin)
{
    REGISTER(GPIO_PAD(pin)) = PAD_INPUT | PAD_PULL_UP | PAD_SCHMITT;
    REGISTER(SIO_OE_CLEAR) = BIT(pin);
    REGISTER(GPIO_CTRL(pin)) = FUNCTION_SIO;
}

void pin_output(uint8_t pin)
{
    REGISTER(SIO_OUT_CLEAR) = BIT(pin);
    REGISTER(SIO_OE_SET) = BIT(pin);
    REGISTER(GPIO_PAD(pin)) = PAD_INPUT | PAD_DRIVE_12MA;
    REGISTER(GPIO_CTRL(pin)) = FUNCTION_SIO;
}

void pin_set(uint8_t pin, bool high)
{
    REGISTER(high ? SIO_OUT_SET : SIO_OUT_CLEAR) = BIT(pin);
}

bool pin_is_high(uint8_t pin)
{
    return REGISTER(SIO_IN) & BIT(pin);
}

static const uint8_t button_pins[BUTTONS] = PICO_BUTTONS;

void contacts_begin(void)
{
    uint32_t began_us;
    uint8_t i;

    for (i = 0; i < BUTTONS; i++)
        pin_input(button_pins[i]);
    began_us = board_us();
    while (board_us() - began_us < CHARGED_US)
        ;
}

uint8_t contacts_closed(void)
{
    uint32_t levels = REGISTER(SIO_IN);
    uint8_t closed = 0, i;

    for (i = 0; i < BUTTONS; i++)
        if (!(levels & BIT(button_pins[i])))
            closed |= (uint8_t)BIT(i);
    return closed;
}

void signs_begin(void)
{
    pin_output(PICO_LED);
    pin_output(PICO_BUZZER);
}

void signs_lamp(bool on)
{
    pin_set(PICO_LED, on);
}

void signs_buzzer(bool on)
{
    pin_set(PICO_BUZZER, on);
}
