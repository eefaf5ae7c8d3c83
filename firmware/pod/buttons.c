#include "buttons.h"

#include "bounce.h"
#include "clock.h"
#include "contacts.h"
#include "debounce.h"
#include "moves.h"
#include "presses.h"
#include "screen.h"

static struct moves moves;
static uint8_t sampled; /* the interrupt's: what it has put into the ring last */
static uint8_t closed;  /* the main loop's: what it has taken out last */

static struct button {
    struct contact contact;
    struct bounce bounce;
    uint32_t down_ms;
    uint16_t picture; /* what stood on the screen when it went down */
    bool is_pressed;  /* it went down while we watched */
} buttons[BUTTONS];

void buttons_begin(void)
{
    uint8_t i;

    contacts_begin();
    sampled = closed = contacts_closed();
    for (i = 0; i < BUTTONS; i++)
        debounce_begin(&buttons[i].contact, 0, closed & 1 << i);
}

void buttons_sample(void)
{
    uint8_t seen = contacts_closed();

    if (seen != sampled && moves_put(&moves, clock_ms(), seen))
        sampled = seen;
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
                    button->picture, button->bounce.longest_ms);
        button->bounce.longest_ms = 0;
    }
}

static void observe(uint32_t at_ms)
{
    uint8_t i;

    for (i = 0; i < BUTTONS; i++) {
        uint32_t since_ms = 0;
        enum edge edge =
            debounce_observe(&buttons[i].contact, at_ms, closed & 1 << i, &since_ms);

        act(i, edge, since_ms);
    }
}

static void move_to(const struct move *move)
{
    uint8_t moved = closed ^ move->closed, i;

    for (i = 0; i < BUTTONS; i++)
        if (moved & 1 << i)
            bounce_see(&buttons[i].bounce, move->at_ms);
    closed = move->closed;
    observe(move->at_ms);
}

void buttons_poll(void)
{
    struct move move;
    uint32_t now_ms;

    /* The clock before the ring, so that nothing in it is older than what was seen already. */
    while (now_ms = clock_ms(), moves_take(&moves, &move))
        move_to(&move);
    observe(now_ms);
}

uint8_t buttons_down(void)
{
    uint8_t down = 0, i;

    for (i = 0; i < BUTTONS; i++)
        if (buttons[i].contact.is_down)
            down |= (uint8_t)(1 << i);
    return down;
}
