/* How long a contact bounces. The twin of `Bounce` in companion/seats/contacts.py; no hardware. */
#ifndef POD_BOUNCE_H
#define POD_BOUNCE_H

#include <stdint.h>

/* All zero is a good beginning. */
struct bounce {
    uint32_t began_ms, last_ms;
    uint8_t longest_ms; /* whoever has told it sets it to 0 again */
};

/* The contact moved. Moves within WIRE_ONE_BOUNCE_MS of one another are one bounce. */
void bounce_see(struct bounce *bounce, uint32_t at_ms);

#endif
