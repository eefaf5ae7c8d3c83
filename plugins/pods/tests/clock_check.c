/* Reads the firmware's clock while it ticks 200 times as fast as a pod's, and says on the serial line
 * whether a time was ever followed by one that is far from it. Built by test_firmware.py. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "clock.h"

#define TICK 4 /* of 64 cycles each */
#define LAST 50000UL
#define NEAR 3

ISR(TIMER0_COMPA_vect)
{
    clock_tick();
}

static void say(const char *text)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 3; /* 500 kBd */
    UCSR0B = _BV(TXEN0);
    for (; *text; text++) {
        while (!(UCSR0A & _BV(UDRE0)))
            ;
        UDR0 = (uint8_t)*text;
    }
}

int main(void)
{
    uint32_t before = 0;

    clock_begin();
    OCR0A = TICK;
    sei();
    for (;;) {
        uint32_t now = clock_ms();

        if (now - before > NEAR) {
            say("jumped");
            break;
        }
        before = now;
        if (now > LAST) {
            say("ok");
            break;
        }
    }
    cli();
    for (;;)
        ;
}
