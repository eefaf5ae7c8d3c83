/* SPDX-License-Identifier: GPL-3.0-or-later
 * Six buttons to ground on PD2 to PD7. A released one is high only through the firmware's
 * pull-up; without it the pin floats, and floating pins are noise. */
#ifndef PODSIM_BUTTONS_H
#define PODSIM_BUTTONS_H

#include <sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

#define BUTTONS 6

void buttons_attach(avr_t *avr);
void buttons_after_reset(void);

/* Button 0 to 5 goes down, or up; where it is already, nothing happens. */
void buttons_move(unsigned button, bool down);

/* The button goes to its other side, but bounces: an odd number of moves, 0.2 to 2 ms apart. */
void buttons_toggle(unsigned button, unsigned moves);

/* The cycle at which a button last moved. */
uint64_t buttons_moved_at(void);

#endif
