#include "debounce.h"

#include "wire.h"

static uint8_t settle_ms = WIRE_SETTLE_MS;

void debounce_settle(uint8_t ms)
{
    settle_ms = ms;
}

void debounce_begin(struct contact *contact, uint32_t at_ms, bool down)
{
    contact->since_ms = at_ms;
    contact->is_down = down;
    contact->seems_down = down;
}

enum edge debounce_observe(struct contact *contact, uint32_t at_ms, bool down,
                           uint32_t *since_ms)
{
    enum edge edge = EDGE_NONE;

    if (contact->seems_down != contact->is_down && at_ms - contact->since_ms >= settle_ms) {
        contact->is_down = contact->seems_down;
        *since_ms = contact->since_ms;
        edge = contact->is_down ? EDGE_DOWN : EDGE_UP;
    }
    if (down != contact->seems_down) {
        contact->seems_down = down;
        contact->since_ms = at_ms;
    }
    return edge;
}
