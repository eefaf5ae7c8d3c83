#include "buttons.h"

#include <util/atomic.h>
#include <util/delay_basic.h>

#include "clock.h"
#include "debounce.h"
#include "gpio.h"
#include "pins.h"
#include "presses.h"
#include "screen.h"

/* Written by the clock's interrupt, read and cleared by the main loop under ATOMIC_BLOCK. */
static volatile uint8_t level;   /* contacts closed at the last sample */
static volatile uint8_t changed; /* contacts that moved since the main loop looked */

static struct button {
    struct contact contact;
    uint32_t down_ms;
    uint16_t picture; /* what stood on the screen when it went down */
    bool is_pressed;  /* it went down while we watched */
} buttons[BUTTONS];

static uint8_t contacts(void)
{
    uint8_t closed = 0;

    if (!GPIO_READ(BUTTON_1))
        closed |= _BV(0);
    if (!GPIO_READ(BUTTON_2))
        closed |= _BV(1);
    if (!GPIO_READ(BUTTON_3))
        closed |= _BV(2);
    if (!GPIO_READ(BUTTON_4))
        closed |= _BV(3);
    if (!GPIO_READ(BUTTON_5))
        closed |= _BV(4);
    if (!GPIO_READ(BUTTON_6))
        closed |= _BV(5);
    return closed;
}

void buttons_begin(void)
{
    uint8_t i;

    /* Inputs since reset; high means the pull-up is on. */
    GPIO_HIGH(BUTTON_1);
    GPIO_HIGH(BUTTON_2);
    GPIO_HIGH(BUTTON_3);
    GPIO_HIGH(BUTTON_4);
    GPIO_HIGH(BUTTON_5);
    GPIO_HIGH(BUTTON_6);
    _delay_loop_1(200); /* 37 us: the pull-ups must charge the wires first */
    level = contacts();
    for (i = 0; i < BUTTONS; i++)
        debounce_begin(&buttons[i].contact, 0, level & _BV(i));
}

void buttons_sample(void)
{
    uint8_t seen = contacts();

    changed |= seen ^ level;
    level = seen;
}

static void act(uint8_t index, enum edge edge, uint32_t since_ms)
{
    struct button *button = &buttons[index];
    uint32_t held_ms = since_ms - button->down_ms;

    if (edge == EDGE_DOWN) {
        button->down_ms = since_ms;
        button->picture = screen_picture();
        button->is_pressed = !screen_wake(clock_ms()); /* waking the screen is all it does */
    } else if (edge == EDGE_UP && button->is_pressed) {
        button->is_pressed = false;
        presses_add(index + 1, held_ms > UINT16_MAX ? UINT16_MAX : (uint16_t)held_ms,
                    button->picture);
    }
}

static void observe(uint8_t index, uint32_t now_ms, bool down)
{
    uint32_t since_ms = 0;
    enum edge edge = debounce_observe(&buttons[index].contact, now_ms, down, &since_ms);

    act(index, edge, since_ms);
}

void buttons_poll(uint32_t now_ms)
{
    uint8_t down, moved, i;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        down = level;
        moved = changed;
        changed = 0;
    }
    for (i = 0; i < BUTTONS; i++) {
        bool is_down = down & _BV(i);

        /* It moved and is where it was: it was elsewhere in between. */
        if ((moved & _BV(i)) && buttons[i].contact.seems_down == is_down)
            observe(i, now_ms, !is_down);
        observe(i, now_ms, is_down);
    }
}

uint8_t buttons_down(void)
{
    uint8_t down = 0, i;

    for (i = 0; i < BUTTONS; i++)
        if (buttons[i].contact.is_down)
            down |= _BV(i);
    return down;
}
