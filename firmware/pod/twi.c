#include "twi.h"

#include <avr/io.h>
#include <util/delay.h>
#include <util/twi.h>

#include "gpio.h"

#define CLOCK_HZ 400000UL
#define BIT_RATE ((F_CPU / CLOCK_HZ - 16) / 2)
#define FAILED 0xFF

/* Looks at a flag until it has changed; some 0.6 ms, a byte takes 0.03. */
#define PATIENCE 1500

static uint8_t step(uint8_t control)
{
    uint16_t left = PATIENCE;

    TWCR = control | _BV(TWINT) | _BV(TWEN);
    while (!(TWCR & _BV(TWINT)))
        if (!--left)
            return FAILED;
    return TW_STATUS;
}

/* A device that was sending when we were reset lets go of SDA after at most nine clocks. */
static void free_bus(void)
{
    uint8_t clock;

    GPIO_HIGH(SDA);
    GPIO_HIGH(SCL);
    _delay_us(5);
    for (clock = 0; clock < 9 && !GPIO_READ(SDA); clock++) {
        GPIO_LOW(SCL);
        GPIO_OUTPUT(SCL);
        _delay_us(5);
        GPIO_INPUT(SCL);
        GPIO_HIGH(SCL);
        _delay_us(5);
    }
}

void twi_begin(void)
{
    TWCR = 0;
    free_bus();
    TWSR = 0;
    TWBR = BIT_RATE;
    TWCR = _BV(TWEN);
}

bool twi_open(uint8_t address, uint8_t first)
{
    if (step(_BV(TWSTA)) != TW_START)
        return false;
    TWDR = (uint8_t)(address << 1);
    if (step(0) != TW_MT_SLA_ACK)
        return false;
    return twi_write(first);
}

bool twi_write(uint8_t byte)
{
    TWDR = byte;
    return step(0) == TW_MT_DATA_ACK;
}

void twi_close(void)
{
    uint16_t left = PATIENCE;

    TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
    while ((TWCR & _BV(TWSTO)) && --left)
        ;
    if (!left)
        TWCR = 0; /* the bus is held by somebody: let go, twi_begin will try again */
}
