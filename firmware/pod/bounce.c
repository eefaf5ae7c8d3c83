#include "bounce.h"

#include "wire.h"

void bounce_see(struct bounce *bounce, uint32_t at_ms)
{
    uint32_t took_ms;

    if (at_ms - bounce->last_ms > WIRE_ONE_BOUNCE_MS)
        bounce->began_ms = at_ms;
    bounce->last_ms = at_ms;
    took_ms = at_ms - bounce->began_ms;
    if (took_ms > UINT8_MAX)
        took_ms = UINT8_MAX;
    if (took_ms > bounce->longest_ms)
        bounce->longest_ms = (uint8_t)took_ms;
}
