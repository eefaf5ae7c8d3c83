/* A ring of 255 bytes between one producer and one consumer, of which one may be an interrupt.
 * Only the producer calls ring_put and writes `head`; only the consumer calls ring_get and
 * writes `tail`. The indexes are bytes: they wrap by themselves and are read in one go. */
#ifndef POD_RING_H
#define POD_RING_H

#include <stdbool.h>
#include <stdint.h>

struct ring {
    volatile uint8_t head;
    volatile uint8_t tail;
    volatile uint8_t bytes[256];
};

/* False: the ring is full and the byte is lost; the producer counts that. */
static inline bool ring_put(struct ring *ring, uint8_t byte)
{
    uint8_t next = (uint8_t)(ring->head + 1);

    if (next == ring->tail)
        return false;
    ring->bytes[ring->head] = byte;
    ring->head = next;
    return true;
}

/* For the consumer. */
static inline bool ring_is_empty(const struct ring *ring)
{
    return ring->tail == ring->head;
}

/* The oldest byte, or -1: there is none. */
static inline int16_t ring_get(struct ring *ring)
{
    uint8_t tail = ring->tail;
    uint8_t byte;

    if (tail == ring->head)
        return -1;
    byte = ring->bytes[tail];
    ring->tail = (uint8_t)(tail + 1);
    return byte;
}

#endif
