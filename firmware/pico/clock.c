#include "../pod/clock.h"

#include "board.h"
#include "registers.h"

#define TICK_US 1000

static volatile uint32_t now_ms; /* read in one go on this chip */
static uint32_t due_us;

uint32_t board_us(void)
{
    return REGISTER(TIMER_RAW_LOW);
}

void clock_tick(void)
{
    now_ms++;
    REGISTER(TIMER_INTR) = BIT(0);
    due_us += TICK_US;
    if ((int32_t)(due_us - board_us()) <= 0)
        due_us = board_us() + TICK_US; /* an alarm in the past would wait for 71 minutes */
    REGISTER(TIMER_ALARM0) = due_us;
}

void clock_begin(void)
{
    due_us = board_us() + TICK_US;
    REGISTER(TIMER_INTE) = BIT(0);
    REGISTER(IRQ_ENABLE) = BIT(IRQ_TIMER_0);
    REGISTER(TIMER_ALARM0) = due_us;
}

uint32_t clock_ms(void)
{
    return now_ms;
}
