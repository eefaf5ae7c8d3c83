#include "presses.h"

#include <stddef.h>

#include "wire.h"

static struct press waiting[WIRE_PRESSES];
static bool is_open;
static uint8_t first, count, last_number, lost;

static struct press *at(uint8_t index)
{
    return &waiting[(first + index) % WIRE_PRESSES];
}

void presses_add(uint8_t button, uint16_t held_ms, uint16_t picture, uint8_t bounced_ms)
{
    struct press *press = at(count);

    if (!is_open)
        return;
    if (count == WIRE_PRESSES) {
        if (lost != UINT8_MAX)
            lost++;
        return;
    }
    count++;
    press->button = button;
    press->held_ms = held_ms;
    press->picture = picture;
    press->bounced_ms = bounced_ms;
    press->number = ++last_number;
    press->due_ms = 0;
}

const struct press *presses_due(uint8_t index, uint32_t now_ms)
{
    struct press *press = at(index);

    if (index >= count || (press->due_ms && (int32_t)(now_ms - press->due_ms) < 0))
        return NULL;
    press->due_ms = now_ms + WIRE_RESEND_MS;
    return press;
}

void presses_noted(uint8_t number)
{
    uint8_t distance = (uint8_t)(number - at(0)->number);

    if (!count || distance >= count)
        return; /* an old word */
    first = (uint8_t)((first + distance + 1) % WIRE_PRESSES);
    count = (uint8_t)(count - distance - 1);
}

void presses_open(bool in_session)
{
    is_open = in_session;
    count = 0;
    last_number = 0;
}

uint8_t presses_lost(void)
{
    return lost;
}
