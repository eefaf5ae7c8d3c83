/* Frames: COBS(kind, number, length, payload, CRC-16/IBM-3740) and a zero, as wire.toml says.
 * No hardware in here: the tests run it on a desktop against the companion's codec. */
#ifndef POD_FRAME_H
#define POD_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

enum { FRAME_KIND, FRAME_NUMBER, FRAME_LENGTH, FRAME_PAYLOAD };

#define FRAME_CRC_BYTES 2
#define FRAME_BODY_BYTES (FRAME_PAYLOAD + WIRE_PAYLOAD_BYTES + FRAME_CRC_BYTES)
#define FRAME_BYTES (FRAME_BODY_BYTES + 2) /* stuffed, with its zero */

#define FRAME_MORE (-1)
#define FRAME_DAMAGED (-2)

/* A frame while it comes in; all zero is a good beginning. */
struct frame {
    uint8_t body[FRAME_BODY_BYTES];
    uint8_t length;
    uint8_t block_left; /* bytes until the next block begins */
    bool has_begun;
    bool is_bad;
};

/* Takes one byte. Returns the length of the payload once a whole good frame is in `body`
 * (until the next call), FRAME_MORE, or FRAME_DAMAGED at the end of what was no frame. */
int16_t frame_take(struct frame *frame, uint8_t byte);

/* Makes a frame of at most FRAME_BYTES in `out`, its zero included; returns its length.
 * `length` is at most WIRE_PAYLOAD_BYTES. */
uint8_t frame_make(uint8_t *out, uint8_t kind, uint8_t number, const uint8_t *payload,
                   uint8_t length);

#endif
