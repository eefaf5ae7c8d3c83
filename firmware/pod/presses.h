/* Presses on their way to the table: kept in order until it has noted them. No hardware. */
#ifndef POD_PRESSES_H
#define POD_PRESSES_H

#include <stdbool.h>
#include <stdint.h>

struct press {
    uint32_t due_ms; /* to be sent (again) from then on */
    uint16_t held_ms;
    uint16_t picture;
    uint8_t number;
    uint8_t button;
    uint8_t bounced_ms;
};

/* One more; if WIRE_PRESSES are waiting it is lost, and counted. Outside a session it means
 * nothing and is not kept. */
void presses_add(uint8_t button, uint16_t held_ms, uint16_t picture, uint8_t bounced_ms);

/* The oldest (index 0) or a later one, if it is time to send it; it is then due again after
 * WIRE_RESEND_MS. NULL: there is none, or it is not due. */
const struct press *presses_due(uint8_t index, uint32_t now_ms);

/* The table has noted all up to this number. */
void presses_noted(uint8_t number);

/* A new session, or none from now on: none waits, the next one is number 1. */
void presses_open(bool in_session);

/* Presses lost since the start, up to 255. */
uint8_t presses_lost(void);

#endif
