#include "twi.h"

#include <avr/io.h>
#include <util/delay.h>
#include <util/twi.h>

#include "gpio.h"

#define CLOCK_HZ 400000UL
#define BIT_RATE ((F_CPU / CLOCK_HZ - 16) / 2)
#define FAILED 0xFF

#define HALF_BIT_US 5 /* by hand, slower than any device */

/* Looks at a flag until it has changed, some 0.9 us each: 5 ms for a whole transfer, of which the
 * longest takes 3.3. A byte alone may take all of it, but no transfer can: that of a screen which
 * answers every byte late would stand in the way of buttons and line for half a second. */
#define PATIENCE 5600

static uint16_t left; /* of this transfer's patience */

static uint8_t step(uint8_t control)
{
    TWCR = control | _BV(TWINT) | _BV(TWEN);
    while (!(TWCR & _BV(TWINT)))
        if (!left || !--left)
            return FAILED;
    return TW_STATUS;
}

static void pull_down_scl(void)
{
    GPIO_LOW(SCL);
    GPIO_OUTPUT(SCL);
    _delay_us(HALF_BIT_US);
}

static void let_go_of_scl(void)
{
    GPIO_INPUT(SCL);
    GPIO_HIGH(SCL);
    _delay_us(HALF_BIT_US);
}

/* A device that was sending when we were reset lets go of SDA after at most nine clocks; then it is
 * told by a STOP, SDA rising while SCL is high, that nothing more comes. */
static void free_bus(void)
{
    uint8_t clock;

    GPIO_HIGH(SDA);
    GPIO_HIGH(SCL);
    _delay_us(HALF_BIT_US);
    for (clock = 0; clock < 9 && !GPIO_READ(SDA); clock++) {
        pull_down_scl();
        let_go_of_scl();
    }
    pull_down_scl();
    GPIO_LOW(SDA);
    GPIO_OUTPUT(SDA);
    let_go_of_scl();
    GPIO_INPUT(SDA);
    GPIO_HIGH(SDA);
    _delay_us(HALF_BIT_US);
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
    left = PATIENCE;
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

bool twi_close(void)
{
    uint8_t looks = UINT8_MAX;

    TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
    while ((TWCR & _BV(TWSTO)) && --looks)
        ;
    if (!looks)
        TWCR = 0; /* the bus is held by somebody: let go, twi_begin will try again */
    return true; /* each step has told at once */
}
