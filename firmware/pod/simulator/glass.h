/* SPDX-License-Identifier: GPL-3.0-or-later
 * A screen of 128 x 64 dots on the bus: SSD1306 or SH1106, as far as their data sheets go. */
#ifndef PODSIM_GLASS_H
#define PODSIM_GLASS_H

#include <sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

#define GLASS_BYTES 1024

void glass_attach(avr_t *avr, bool is_sh1106);

/* Power comes on (memory holds noise, it is dark) or goes: it answers no more. */
void glass_power(bool on);

/* The dots that are seen, in page order; all dark while it is off or has no voltage. */
void glass_read(uint8_t bytes[GLASS_BYTES]);

/* For the chip's timing: whether an address has just been sent (asked once), and to us. */
bool glass_was_addressed(void);
bool glass_is_selected(void);

struct glass_figures {
    uint64_t bytes;        /* on the bus, addresses too */
    uint64_t last_dot;     /* cycle at which a dot was last written */
    unsigned unknown;      /* commands that no data sheet names */
    uint8_t contrast;
    bool is_on, has_pump;
};
struct glass_figures glass_figures(void);

#endif
