#include "clock.h"

#include <avr/io.h>
#include <util/atomic.h>

#define PRESCALER 64

static volatile uint32_t now_ms;

void clock_tick(void)
{
    now_ms++;
}

void clock_begin(void)
{
    OCR0A = F_CPU / PRESCALER / 1000 - 1;
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    TIMSK0 = _BV(OCIE0A);
}

uint32_t clock_ms(void)
{
    uint32_t now;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = now_ms;
    }
    return now;
}
