#include "watchdog.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

ISR(WDT_vect)
{
    __asm__ volatile("jmp 0"); /* interrupts are off in here, and stay so; memory is set up anew */
}

void watchdog_begin(void)
{
    /* After a reset of its own it runs at its shortest time, 16 ms; we are here sooner. */
    MCUSR = 0;
    wdt_enable(WDTO_500MS);
    WDTCSR |= _BV(WDIE);
}

void watchdog_feed(void)
{
    wdt_reset();
}
