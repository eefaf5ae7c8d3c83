/* SPDX-License-Identifier: GPL-3.0-or-later
 * The commands: a line in, a line out. */
#ifndef PODSIM_CONTROL_H
#define PODSIM_CONTROL_H

#include <sim_avr.h>
#include <stdbool.h>

/* `plug` is called with true and false when the board is plugged in and pulled out. */
void control_begin(avr_t *avr, void (*plug)(bool in));

/* Answers one command on standard output; false: it was `quit`. */
bool control_answer(char *line);

/* False: the firmware has stopped for good. */
bool control_pass_time(uint64_t cycles);

#endif
