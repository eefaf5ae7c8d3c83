/* Milliseconds since the start; they wrap after 49 days, and differences still hold. */
#ifndef POD_CLOCK_H
#define POD_CLOCK_H

#include <stdint.h>

/* From now on timer 0 interrupts (TIMER0_COMPA) 1000 times a second. */
void clock_begin(void);

/* A millisecond has gone by; for that interrupt alone. */
void clock_tick(void);

uint32_t clock_ms(void);

#endif
