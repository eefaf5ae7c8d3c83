#include "usb.h"

#include "../pod/wire.h"
#include "board.h"
#include "pico_pins.h"

#define WORD(number) (number) & 0xFF, (number) >> 8
#define PACKET 64

enum { DEVICE = 1, CONFIGURATION, STRING };
enum { LANGUAGES, MAKER, PRODUCT, SERIAL };

static const uint8_t device[] = {
    18,   DEVICE, WORD(0x0200), /* USB 2.0 */
    2,    0,      0,            /* communications */
    PACKET,
    WORD(PICO_VENDOR), WORD(PICO_PRODUCT), WORD(FIRMWARE_MAJOR << 8 | FIRMWARE_MINOR << 4),
    MAKER, PRODUCT, SERIAL, 1,
};

/* CDC ACM: an interface for control with its notices, one for the line. */
static const uint8_t configuration[] = {
    9, CONFIGURATION, WORD(67), 2, 1, 0, 0x80, 100 / 2,
    9, 4, 0, 0, 1, 2, 2, 0, 0,
    5, 0x24, 0, WORD(0x0110),
    5, 0x24, 1, 0, 1,
    4, 0x24, 2, 2,
    5, 0x24, 6, 0, 1,
    7, 5, 0x81, 3, WORD(8), 16,
    9, 4, 1, 0, 2, 10, 0, 0, 0,
    7, 5, 0x02, 2, WORD(PACKET), 0,
    7, 5, 0x82, 2, WORD(PACKET), 0,
};
_Static_assert(sizeof configuration == 67, "the configuration says how long it is");

static const char *const names[] = {[MAKER] = "race-companion", [PRODUCT] = PICO_NAME};
static char serial[2 * UNIQUE_BYTES + 1];
static uint8_t string[2 + 2 * 31];

void usb_name(const uint8_t *unique)
{
    uint8_t i;

    for (i = 0; i < 2 * UNIQUE_BYTES; i++)
        serial[i] = "0123456789ABCDEF"[i % 2 ? unique[i / 2] & 15 : unique[i / 2] >> 4];
}

static const uint8_t *spell(const char *text, uint16_t *length)
{
    uint8_t at = 2;

    for (; *text && at < sizeof string; text++) {
        string[at++] = (uint8_t)*text;
        string[at++] = 0;
    }
    string[0] = at;
    string[1] = STRING;
    *length = at;
    return string;
}

const uint8_t *usb_descriptor(uint8_t type, uint8_t index, uint16_t *length)
{
    static const uint8_t english[] = {4, STRING, WORD(0x0409)};

    *length = type == DEVICE ? sizeof device : type == CONFIGURATION ? sizeof configuration : 4;
    if (type == DEVICE)
        return device;
    if (type == CONFIGURATION)
        return configuration;
    if (type != STRING || index > SERIAL)
        return 0;
    if (index == LANGUAGES)
        return english;
    return spell(index == SERIAL ? serial : names[index], length);
}
