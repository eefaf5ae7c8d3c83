/* Milliseconds since the start; they wrap after 49 days, and differences still hold. */
#ifndef POD_CLOCK_H
#define POD_CLOCK_H

#include <stdint.h>

/* From now on, 1000 times a second, the time goes on and the buttons are sampled. */
void clock_begin(void);

uint32_t clock_ms(void);

#endif
