/* The pod: six buttons and a screen at the end of a cable. Interrupts set flags and fill the
 * ring; this loop looks at everything in turn and waits for nothing longer than a screen's
 * restart (30 ms). Should it ever hang, the watchdog starts it anew. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "buttons.h"
#include "clock.h"
#include "lamp.h"
#include "link.h"
#include "screen.h"
#include "settings.h"
#include "uart.h"
#include "watchdog.h"

ISR(TIMER0_COMPA_vect)
{
    clock_tick();
    buttons_sample();
}

/* Sleeps until the next interrupt: a millisecond at most. No byte can slip in between the look
 * and the sleep: the instruction behind sei is still done before any interrupt. */
static void nap(void)
{
    cli();
    if (uart_is_empty()) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void)
{
    watchdog_begin();
    lamp_begin();
    buttons_begin();
    uart_begin();
    clock_begin();
    sei();
    screen_begin(settings_controller());
    link_hello(); /* perhaps to nobody: the table asks too */
    for (;;) {
        uint32_t now_ms = clock_ms();

        watchdog_feed();
        buttons_poll(); /* first: a press belongs to the picture that it was made on */
        link_poll(now_ms);
        lamp_poll(now_ms);
        if (screen_poll(now_ms))
            link_hello(); /* the table must send everything again */
        nap();
    }
}
