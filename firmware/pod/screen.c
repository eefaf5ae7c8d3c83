#include "screen.h"

#include <stdbool.h>

#include "flash.h"
#include "pins.h"
#include "twi.h"
#include "watchdog.h"
#include "wire.h"

#define COMMANDS 0x00 /* the control byte: commands follow, or dots */
#define DOTS 0x40

#define COLUMNS 128
#define PAGES 8
#define SH1106_MARGIN 2

#define LOOK_EVERY_MS 500
#define NOTHING 0xE3
#define COLUMN_LOW 0x00
#define COLUMN_HIGH 0x10
#define PAGE 0xB0

/* Both lists follow the data sheets' order; comments name what a number sets. */
static const uint8_t ssd1306_start[] PROGMEM = {
    0xAE,       /* off while it is set up */
    0xD5, 0x80, /* oscillator */
    0xA8, 63,   /* 64 rows */
    0xD3, 0,    /* no shift */
    0x40,       /* first row is row 0 */
    0x8D, 0x14, /* charge pump on: without it the panel stays dark */
    0x20, 0x02, /* page addressing */
    0xA1, 0xC8, /* not mirrored, cable at the top */
    0xDA, 0x12, /* alternating rows */
    0xD9, 0xF1, /* precharge */
    0xDB, 0x40, /* deselect level */
    0xA4, 0xA6, /* show the memory, lit is lit */
};
static const uint8_t sh1106_start[] PROGMEM = {
    0xAE, 0xD5, 0x80, 0xA8, 63, 0xD3, 0, 0x40, 0xAD, 0x8B /* DC-DC on */, 0xA1, 0xC8, 0xDA, 0x12,
    0xD9, 0x22, 0xDB, 0x35, 0xA4, 0xA6,
};
static const uint8_t light_up[] PROGMEM = {0x81, 0x7F, 0xAF};
static const uint8_t dim[] PROGMEM = {0x81, 0x01};
static const uint8_t go_dark[] PROGMEM = {0xAE};
static const uint8_t nothing[] PROGMEM = {NOTHING};

static uint8_t controller;
static uint8_t margin;
static uint8_t starts;
static uint16_t picture;
static bool is_alive;
static uint32_t looked_ms;
static uint32_t used_ms;
static enum { BRIGHT, DIM, ASLEEP } light;

static bool send_commands(const uint8_t *flash, uint8_t length)
{
    bool is_ok = twi_open(SCREEN_ADDRESS, COMMANDS);

    while (is_ok && length--)
        is_ok = twi_write(pgm_read_byte(flash++));
    return twi_close() && is_ok;
}

static bool point_at(uint8_t page, uint8_t column)
{
    bool is_ok = twi_open(SCREEN_ADDRESS, COMMANDS) && twi_write(PAGE | page)
                 && twi_write(COLUMN_LOW | (column & 0x0F)) && twi_write(COLUMN_HIGH | column >> 4);

    return twi_close() && is_ok;
}

static bool send_dots(const uint8_t *dots, uint8_t length)
{
    bool is_ok = twi_open(SCREEN_ADDRESS, DOTS);

    while (is_ok && length--)
        is_ok = twi_write(*dots++);
    return twi_close() && is_ok;
}

/* The whole memory, the SH1106's four hidden columns too: at power-up it holds noise. */
static bool clear(void)
{
    uint8_t page, column;
    bool is_ok = true;

    for (page = 0; is_ok && page < PAGES; page++) {
        watchdog_feed();
        is_ok = point_at(page, 0) && twi_open(SCREEN_ADDRESS, DOTS);
        for (column = 0; is_ok && column < COLUMNS + 2 * margin; column++)
            is_ok = twi_write(0);
        is_ok = twi_close() && is_ok;
    }
    return is_ok;
}

static bool start(void)
{
    bool is_sh1106 = controller == CONTROLLER_SH1106;

    twi_begin();
    margin = is_sh1106 ? SH1106_MARGIN : 0;
    return (is_sh1106 ? send_commands(sh1106_start, sizeof sh1106_start)
                      : send_commands(ssd1306_start, sizeof ssd1306_start))
           && clear() && send_commands(light_up, sizeof light_up);
}

static void try_start(void)
{
    is_alive = start();
    light = BRIGHT;
    if (is_alive && ++starts == 0)
        starts = 1;
}

void screen_begin(uint8_t which)
{
    controller = which;
    try_start();
}

void screen_span(uint8_t page, uint8_t first, const uint8_t *dots, uint8_t length)
{
    if (!is_alive || page >= PAGES || first >= COLUMNS)
        return;
    if (length > COLUMNS - first)
        length = (uint8_t)(COLUMNS - first);
    is_alive = point_at(page, (uint8_t)(first + margin)) && send_dots(dots, length);
}

void screen_shows(uint16_t number)
{
    picture = number;
}

uint16_t screen_picture(void)
{
    return picture;
}

bool screen_wake(uint32_t now_ms)
{
    bool was_asleep = light == ASLEEP;

    used_ms = now_ms;
    if (light != BRIGHT && is_alive)
        is_alive = send_commands(light_up, sizeof light_up);
    light = BRIGHT;
    return was_asleep;
}

/* One step darker if it is time; else a word to the screen, only to see that it answers. */
static bool darken(uint32_t now_ms)
{
    uint32_t idle_s = (now_ms - used_ms) / 1000;

    if (light == BRIGHT && idle_s >= WIRE_DIM_S) {
        light = DIM;
        return send_commands(dim, sizeof dim);
    }
    if (light == DIM && idle_s >= WIRE_SLEEP_S) {
        light = ASLEEP;
        return send_commands(go_dark, sizeof go_dark);
    }
    return send_commands(nothing, sizeof nothing);
}

bool screen_poll(uint32_t now_ms)
{
    if (now_ms - looked_ms < LOOK_EVERY_MS)
        return false;
    looked_ms = now_ms;
    if (is_alive) {
        is_alive = darken(now_ms);
        return false;
    }
    try_start();
    return is_alive;
}

uint8_t screen_starts(void)
{
    return is_alive ? starts : 0;
}
