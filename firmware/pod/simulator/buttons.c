/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "buttons.h"

#include <avr_ioport.h>
#include <stdlib.h>

#define FIRST_PIN 2
#define CYCLES_PER_MS (avr->frequency / 1000)
#define BOUNCE_SHORTEST (CYCLES_PER_MS / 5)
#define BOUNCE_LONGEST (CYCLES_PER_MS * 2)
#define NOISE_CYCLES (CYCLES_PER_MS * 7)

static avr_t *avr;
static struct {
    bool is_closed;
    unsigned moves_left;
} buttons[BUTTONS];
static uint64_t moved_at;

static void set_pin(unsigned button, unsigned level)
{
    avr_irq_t *pins = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 0);

    /* An equal level is not passed on, and after a reset simavr's idea of it is old. */
    avr_raise_irq(pins + FIRST_PIN + button, !level);
    avr_raise_irq(pins + FIRST_PIN + button, level);
}

static bool floats(unsigned button)
{
    avr_ioport_state_t port;
    unsigned pin = FIRST_PIN + button;

    avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE('D'), &port);
    return !buttons[button].is_closed && !(port.port >> pin & 1) && !(port.ddr >> pin & 1);
}

static void settle(unsigned button)
{
    set_pin(button, floats(button) ? rand() & 1 : !buttons[button].is_closed);
}

static avr_cycle_count_t settle_all(avr_t *of, avr_cycle_count_t when, void *param)
{
    (void)of;
    (void)when;
    (void)param;
    for (unsigned button = 0; button < BUTTONS; button++)
        settle(button);
    return 0;
}

static avr_cycle_count_t noise(avr_t *of, avr_cycle_count_t when, void *param)
{
    (void)of;
    (void)param;
    for (unsigned button = 0; button < BUTTONS; button++)
        if (floats(button))
            settle(button);
    return when + NOISE_CYCLES + (unsigned)rand() % NOISE_CYCLES;
}

/* simavr raises the pins after this has been called; a cycle later they can be put right. */
static void on_port(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)value;
    (void)param;
    avr_cycle_timer_register(avr, 1, settle_all, NULL);
}

static uint64_t until_next_bounce(void)
{
    return BOUNCE_SHORTEST + (unsigned)rand() % (BOUNCE_LONGEST - BOUNCE_SHORTEST);
}

static bool move_once(unsigned button)
{
    buttons[button].is_closed = !buttons[button].is_closed;
    moved_at = avr->cycle;
    settle(button);
    return --buttons[button].moves_left;
}

static avr_cycle_count_t bounce(avr_t *of, avr_cycle_count_t when, void *param)
{
    (void)of;
    return move_once((unsigned)(uintptr_t)param) ? when + until_next_bounce() : 0;
}

void buttons_attach(avr_t *of)
{
    avr = of;
    avr_irq_register_notify(
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), IOPORT_IRQ_REG_PORT), on_port, NULL);
}

void buttons_after_reset(void)
{
    settle_all(avr, 0, NULL);
    avr_cycle_timer_register(avr, NOISE_CYCLES, noise, NULL);
}

void buttons_move(unsigned button, bool down)
{
    if (buttons[button].is_closed != down)
        buttons_toggle(button, 1);
}

void buttons_toggle(unsigned button, unsigned moves)
{
    buttons[button].moves_left = moves | 1;
    if (move_once(button))
        avr_cycle_timer_register(avr, until_next_bounce(), bounce, (void *)(uintptr_t)button);
}

uint64_t buttons_moved_at(void)
{
    return moved_at;
}
