/* When contacts moved: a ring between the clock's interrupt, which looks at them each millisecond,
 * and the main loop, which may be late (a slow screen) and still learns of each move in its time.
 * Only the producer calls moves_put and writes `head`, only the consumer moves_take and `tail`. */
#ifndef POD_MOVES_H
#define POD_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#define MOVES 32 /* a power of two: two contacts that bounce badly while a screen starts */

struct move {
    uint32_t at_ms;
    uint8_t closed; /* the contacts that are closed from then on */
};

struct moves {
    volatile uint8_t head;
    volatile uint8_t tail;
    volatile struct move moves[MOVES];
};

/* False: the ring is full, and the producer tries again. */
static inline bool moves_put(struct moves *ring, uint32_t at_ms, uint8_t closed)
{
    uint8_t head = ring->head, next = (uint8_t)((head + 1) % MOVES);

    if (next == ring->tail)
        return false;
    ring->moves[head].at_ms = at_ms;
    ring->moves[head].closed = closed;
    ring->head = next;
    return true;
}

/* False: there is none. */
static inline bool moves_take(struct moves *ring, struct move *move)
{
    uint8_t tail = ring->tail;

    if (tail == ring->head)
        return false;
    move->at_ms = ring->moves[tail].at_ms;
    move->closed = ring->moves[tail].closed;
    ring->tail = (uint8_t)((tail + 1) % MOVES);
    return true;
}

#endif
