#include "frame.h"

#include <string.h>

#define CRC_START 0xFFFF

/* A byte at a time without a table. The polynomial is x^16 + x^12 + x^5 + 1: what leaves at the
 * top comes back at 12, 5 and 0, and its upper half, coming back at 12, leaves once more. */
static uint16_t crc_add(uint16_t crc, uint8_t byte)
{
    uint8_t out = (uint8_t)(crc >> 8 ^ byte);

    out ^= out >> 4;
    return (uint16_t)(crc << 8 ^ (uint16_t)out << 12 ^ (uint16_t)out << 5 ^ out);
}

static uint16_t crc_of(const uint8_t *bytes, uint8_t length)
{
    uint16_t crc = CRC_START;

    while (length--)
        crc = crc_add(crc, *bytes++);
    return crc;
}

static void keep(struct frame *frame, uint8_t byte)
{
    if (frame->length < FRAME_BODY_BYTES)
        frame->body[frame->length++] = byte;
    else
        frame->is_bad = true;
}

/* A CRC over bytes and their CRC is zero. */
static bool is_whole(const struct frame *frame)
{
    return !frame->is_bad && !frame->block_left
           && frame->length >= FRAME_PAYLOAD + FRAME_CRC_BYTES
           && frame->body[FRAME_LENGTH] == frame->length - FRAME_PAYLOAD - FRAME_CRC_BYTES
           && crc_of(frame->body, frame->length) == 0;
}

static int16_t end(struct frame *frame)
{
    int16_t result = FRAME_DAMAGED;

    if (!frame->has_begun)
        result = FRAME_MORE; /* an empty frame is a pause, not damage */
    else if (is_whole(frame))
        result = frame->body[FRAME_LENGTH];
    frame->length = 0;
    frame->block_left = 0;
    frame->has_begun = false;
    frame->is_bad = false;
    return result;
}

int16_t frame_take(struct frame *frame, uint8_t byte)
{
    if (byte == 0)
        return end(frame);
    if (frame->block_left) {
        frame->block_left--;
        keep(frame, byte);
        return FRAME_MORE;
    }
    if (frame->has_begun)
        keep(frame, 0); /* between two blocks there was a zero */
    frame->has_begun = true;
    frame->block_left = (uint8_t)(byte - 1);
    return FRAME_MORE;
}

static uint8_t stuff(uint8_t *out, const uint8_t *body, uint8_t length)
{
    uint8_t block = 0; /* where the length of the current block stands */
    uint8_t at = 1;

    while (length--) {
        if (*body) {
            out[at++] = *body;
        } else {
            out[block] = (uint8_t)(at - block);
            block = at++;
        }
        body++;
    }
    out[block] = (uint8_t)(at - block);
    out[at++] = 0;
    return at;
}

uint8_t frame_make(uint8_t *out, uint8_t kind, uint8_t number, const uint8_t *payload,
                   uint8_t length)
{
    uint8_t body[FRAME_BODY_BYTES];
    uint8_t end_of_payload = (uint8_t)(FRAME_PAYLOAD + length);
    uint16_t crc;

    body[FRAME_KIND] = kind;
    body[FRAME_NUMBER] = number;
    body[FRAME_LENGTH] = length;
    memcpy(body + FRAME_PAYLOAD, payload, length);
    crc = crc_of(body, end_of_payload);
    body[end_of_payload] = (uint8_t)(crc >> 8);
    body[end_of_payload + 1] = (uint8_t)crc;
    return stuff(out, body, (uint8_t)(end_of_payload + FRAME_CRC_BYTES));
}
