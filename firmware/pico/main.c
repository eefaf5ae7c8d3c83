/* The pod on a Raspberry Pi Pico: what it does is that of ../pod, here is only the board. */
#include "../pod/buttons.h"
#include "../pod/clock.h"
#include "../pod/lamp.h"
#include "../pod/link.h"
#include "../pod/screen.h"
#include "../pod/settings.h"
#include "../pod/uart.h"
#include "../pod/watchdog.h"
#include "board.h"

int main(void);

void on_timer(void)
{
    clock_tick();
    buttons_sample();
}

int main(void)
{
    settings_begin();
    watchdog_begin();
    lamp_begin();
    buttons_begin();
    uart_begin();
    clock_begin();
    screen_begin(settings_controller());
    for (;;) {
        uint32_t now_ms = clock_ms();

        watchdog_feed();
        buttons_poll(); /* first: a press belongs to the picture that it was made on */
        link_poll(now_ms);
        lamp_poll(now_ms);
        if (screen_poll(now_ms))
            link_hello(); /* the table must send everything again */
        __asm__ volatile("wfi"); /* the clock wakes it within a millisecond */
    }
}
