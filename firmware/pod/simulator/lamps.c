/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lamps.h"

#include <avr_ioport.h>
#include <stddef.h>

#define LAMP_PIN 5
#define BUZZER_PIN 1

static avr_t *avr;
static struct lamps_figures figures;
static uint64_t sounds_since; /* 0: it is silent */

static void on_lamp(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    figures.lightings += value && !figures.is_lit;
    figures.is_lit = value;
}

static void on_buzzer(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    if (value && !sounds_since)
        sounds_since = avr->cycle;
    if (!value && sounds_since) {
        figures.sound += avr->cycle - sounds_since;
        sounds_since = 0;
    }
}

void lamps_attach(avr_t *of)
{
    avr_irq_t *pins = avr_io_getirq(of, AVR_IOCTL_IOPORT_GETIRQ('B'), 0);

    avr = of;
    avr_irq_register_notify(pins + LAMP_PIN, on_lamp, NULL);
    avr_irq_register_notify(pins + BUZZER_PIN, on_buzzer, NULL);
}

struct lamps_figures lamps_figures(void)
{
    return figures;
}
