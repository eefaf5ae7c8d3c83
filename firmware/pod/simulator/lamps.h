/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pod's lamp and buzzer, as they are seen and heard. */
#ifndef PODSIM_LAMPS_H
#define PODSIM_LAMPS_H

#include <sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

void lamps_attach(avr_t *avr);

struct lamps_figures {
    bool is_lit;
    unsigned lightings; /* how often the lamp was lit */
    uint64_t sound;     /* cycles for which the buzzer has sounded in all */
};
struct lamps_figures lamps_figures(void);

#endif
