/* SPDX-License-Identifier: GPL-3.0-or-later
 * The two wires of the bus as the pins see them: a device that still holds SDA down. */
#ifndef PODSIM_WIRES_H
#define PODSIM_WIRES_H

#include <sim_avr.h>
#include <stdbool.h>

void wires_attach(avr_t *avr);

/* A device was interrupted while it was sending: it holds SDA down for so many more clocks, and
 * listens to nobody until it has then seen a STOP. */
void wires_hold_sda(unsigned clocks);

bool wires_are_held(void);

#endif
