/* From what a contact seems to do to what a finger did. The twin of companion/seats/contacts.py:
 * both are held to plugins/pods/tests/debounce_cases.toml. No hardware in here. */
#ifndef POD_DEBOUNCE_H
#define POD_DEBOUNCE_H

#include <stdbool.h>
#include <stdint.h>

struct contact {
    uint32_t since_ms; /* `seems_down` is steady since */
    bool is_down;      /* the level that counts */
    bool seems_down;   /* the level seen last */
};

enum edge { EDGE_NONE, EDGE_DOWN, EDGE_UP };

/* A level counts once it is steady for so long; without a word, WIRE_SETTLE_MS. */
void debounce_settle(uint8_t ms);

/* A contact seen for the first time: its level is how it is, and no edge. */
void debounce_begin(struct contact *contact, uint32_t at_ms, bool down);

/* The contact is seen; an edge began at *since_ms, when the contact became steady. */
enum edge debounce_observe(struct contact *contact, uint32_t at_ms, bool down,
                           uint32_t *since_ms);

#endif
