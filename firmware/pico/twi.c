#include "../pod/twi.h"

#include "board.h"
#include "pico_pins.h"
#include "registers.h"

#define CON 0x00
#define TAR 0x04
#define DATA 0x10
#define HIGH_COUNT 0x1C
#define LOW_COUNT 0x20
#define RAW 0x34
#define CLEAR_ABORT 0x54
#define ENABLE 0x6C
#define STATUS 0x70
#define HOLD 0x7C
#define SPIKE 0xA0

#define MASTER_400_KHZ (BIT(0) | 2UL << 1 | BIT(5) | BIT(6) | BIT(8))
/* 400 kHz of 48 MHz are 120 clocks: the chip adds some of its own to both halves. */
#define HIGH_CLOCKS 37
#define LOW_CLOCKS 71
#define SPIKE_CLOCKS 4
#define HOLD_CLOCKS 15
#define STOP BIT(9)
#define ABORTED BIT(6)
#define HAS_ROOM BIT(1)
#define IS_EMPTY BIT(2)
#define IS_ACTIVE BIT(5)

#define HALF_BIT_US 5
/* For a whole transfer, of which the longest takes 3.3 ms. */
#define PATIENCE_US 5000
#define NOTHING 0xFFFF

static uint32_t began_us;
static uint16_t held_back; /* the last byte waits for the next one: it carries the STOP */

static void wait(uint32_t us)
{
    uint32_t began = board_us();

    while (board_us() - began < us)
        ;
}

static void pull(uint8_t pin, bool down)
{
    REGISTER(down ? SIO_OE_SET : SIO_OE_CLEAR) = BIT(pin);
    wait(HALF_BIT_US);
}

/* A device that was sending when we were reset lets go of SDA after at most nine clocks; then it is
 * told by a STOP, SDA rising while SCL is high, that nothing more comes. */
static void free_bus(void)
{
    uint8_t clock;

    pin_input(PICO_SDA);
    pin_input(PICO_SCL);
    REGISTER(SIO_OUT_CLEAR) = BIT(PICO_SDA) | BIT(PICO_SCL);
    wait(HALF_BIT_US);
    for (clock = 0; clock < 9 && !pin_is_high(PICO_SDA); clock++) {
        pull(PICO_SCL, true);
        pull(PICO_SCL, false);
    }
    pull(PICO_SCL, true);
    pull(PICO_SDA, true);
    pull(PICO_SCL, false);
    pull(PICO_SDA, false);
}

void twi_begin(void)
{
    free_bus();
    board_unreset(RESET_I2C0);
    REGISTER(I2C(ENABLE)) = 0;
    REGISTER(I2C(CON)) = MASTER_400_KHZ;
    REGISTER(I2C(HIGH_COUNT)) = HIGH_CLOCKS;
    REGISTER(I2C(LOW_COUNT)) = LOW_CLOCKS;
    REGISTER(I2C(SPIKE)) = SPIKE_CLOCKS;
    REGISTER(I2C(HOLD)) = HOLD_CLOCKS;
    REGISTER(GPIO_CTRL(PICO_SDA)) = FUNCTION_I2C;
    REGISTER(GPIO_CTRL(PICO_SCL)) = FUNCTION_I2C;
    held_back = NOTHING;
}

static bool is_well(void)
{
    return !(REGISTER(I2C(RAW)) & ABORTED) && board_us() - began_us < PATIENCE_US;
}

static bool put(uint32_t word)
{
    while (!(REGISTER(I2C(STATUS)) & HAS_ROOM))
        if (!is_well())
            return false;
    REGISTER(I2C(DATA)) = word;
    return is_well();
}

bool twi_open(uint8_t address, uint8_t first)
{
    REGISTER(I2C(ENABLE)) = 0;
    REGISTER(I2C(TAR)) = address;
    REGISTER(I2C(ENABLE)) = 1;
    (void)REGISTER(I2C(CLEAR_ABORT));
    began_us = board_us();
    held_back = first;
    return true;
}

bool twi_write(uint8_t byte)
{
    bool is_ok = put(held_back);

    held_back = byte;
    return is_ok;
}

bool twi_close(void)
{
    bool is_ok = held_back != NOTHING && put(held_back | STOP);
    const uint32_t resting = IS_EMPTY;

    held_back = NOTHING;
    while (is_ok && (REGISTER(I2C(STATUS)) & (IS_EMPTY | IS_ACTIVE)) != resting)
        is_ok = is_well();
    is_ok = is_ok && is_well();
    REGISTER(I2C(ENABLE)) = 0; /* lets go of a bus that somebody holds, and forgets what waits */
    return is_ok;
}
