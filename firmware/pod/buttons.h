/* The six buttons, from contact to press. A press is a button that went down and came up. */
#ifndef POD_BUTTONS_H
#define POD_BUTTONS_H

#include <stdint.h>

void buttons_begin(void);

/* Looks at the contacts; for the clock's interrupt alone. */
void buttons_sample(void);

/* Keeps each press that has ended, for the table, however late it is called. */
void buttons_poll(void);

/* The buttons that are down, button 1 in bit 0. */
uint8_t buttons_down(void);

#endif
