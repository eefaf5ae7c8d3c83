/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wires.h"

#include <avr_ioport.h>
#include <stddef.h>

#define SDA 4
#define SCL 5

static avr_t *avr;
static unsigned clocks_left;
static bool waits_for_stop;
static uint8_t pulled; /* the pins that the chip pulls down */

static void pull_sda(bool down)
{
    avr_ioport_external_t outside = {.name = 'C', .mask = down << SDA, .value = 0};

    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('C'), &outside);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), SDA), !down);
}

static void on_direction(struct avr_irq_t *irq, uint32_t value, void *param)
{
    uint8_t let_go = pulled & (uint8_t)~value;

    (void)irq;
    (void)param;
    pulled = (uint8_t)value;
    if (clocks_left && let_go & 1 << SCL && !--clocks_left) {
        pull_sda(false);
    } else if (!clocks_left && let_go & 1 << SDA && !(pulled & 1 << SCL)) {
        waits_for_stop = false; /* SDA has risen while SCL was high */
    }
}

void wires_attach(avr_t *of)
{
    avr = of;
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('C'), IOPORT_IRQ_DIRECTION_ALL), on_direction,
        NULL);
}

void wires_hold_sda(unsigned clocks)
{
    clocks_left = clocks;
    waits_for_stop = true;
    pull_sda(clocks);
}

bool wires_are_held(void)
{
    return clocks_left || waits_for_stop;
}
