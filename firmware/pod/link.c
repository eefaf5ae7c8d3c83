#include "link.h"

#include <stdbool.h>
#include <string.h>

#include "buttons.h"
#include "debounce.h"
#include "frame.h"
#include "lamp.h"
#include "presses.h"
#include "screen.h"
#include "settings.h"
#include "uart.h"
#include "wire.h"

static struct frame incoming;
static uint8_t damaged;
static uint16_t session; /* 0: none since the start */
static uint8_t last_taken;
static bool tells_bounces;

static uint16_t word_at(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static void put_word(uint8_t *bytes, uint16_t word)
{
    bytes[0] = (uint8_t)(word >> 8);
    bytes[1] = (uint8_t)word;
}

static void send(uint8_t kind, uint8_t number, const uint8_t *payload, uint8_t length)
{
    uint8_t frame[FRAME_PAYLOAD + WIRE_HELLO_LENGTH + FRAME_CRC_BYTES + 2];

    _Static_assert(WIRE_HELLO_LENGTH >= WIRE_FELT_LENGTH, "the hello is the longest");
    uart_send(frame, frame_make(frame, kind, number, payload, length));
}

static uint8_t add_up(uint8_t one, uint8_t other)
{
    return one > UINT8_MAX - other ? UINT8_MAX : (uint8_t)(one + other);
}

void link_hello(void)
{
    uint8_t hello[WIRE_HELLO_LENGTH];

    hello[WIRE_HELLO_LEVEL] = WIRE_LEVEL;
    hello[WIRE_HELLO_MAJOR] = FIRMWARE_MAJOR;
    hello[WIRE_HELLO_MINOR] = FIRMWARE_MINOR;
    hello[WIRE_HELLO_PATCH] = FIRMWARE_PATCH;
    put_word(hello + WIRE_HELLO_SESSION, session);
    hello[WIRE_HELLO_POD] = settings_pod();
    hello[WIRE_HELLO_CONTROLLER] = settings_controller();
    hello[WIRE_HELLO_SCREEN] = screen_starts();
    hello[WIRE_HELLO_DOWN] = buttons_down();
    hello[WIRE_HELLO_OVERRUNS] = add_up(uart_lost(), presses_lost());
    hello[WIRE_HELLO_DAMAGED] = damaged;
    send(WIRE_HELLO, 0, hello, sizeof hello);
}

static void begin(uint16_t wanted)
{
    if (wanted != session) {
        session = wanted;
        screen_shows(0);
        last_taken = 0;
        tells_bounces = false;
        debounce_settle(WIRE_SETTLE_MS);
        presses_open(session != 0);
    }
    link_hello();
}

static void set_up(const uint8_t *payload)
{
    bool is_new_screen = payload[WIRE_SETUP_CONTROLLER] != settings_controller();

    settings_keep(payload[WIRE_SETUP_POD], payload[WIRE_SETUP_CONTROLLER]);
    if (is_new_screen)
        screen_begin(settings_controller());
    link_hello();
}

static void act(uint8_t kind, const uint8_t *payload, uint8_t length, uint32_t now_ms)
{
    if (kind == WIRE_SPAN && length >= WIRE_SPAN_LENGTH_LEAST) {
        screen_wake(now_ms);
        screen_span(payload[WIRE_SPAN_PAGE], payload[WIRE_SPAN_START], payload + WIRE_SPAN_DOTS,
                    (uint8_t)(length - WIRE_SPAN_DOTS));
    } else if (kind == WIRE_PICTURE && length == WIRE_PICTURE_LENGTH) {
        screen_shows(word_at(payload + WIRE_PICTURE_PICTURE));
    } else if (kind == WIRE_SIGNAL && length == WIRE_SIGNAL_LENGTH) {
        lamp_signal(payload[WIRE_SIGNAL_LAMP], payload[WIRE_SIGNAL_BEEP], now_ms);
    } else if (kind == WIRE_SETTLE && length == WIRE_SETTLE_LENGTH) {
        debounce_settle(payload[WIRE_SETTLE_STEADY]);
    } else if (kind == WIRE_TELL && length == WIRE_TELL_LENGTH) {
        tells_bounces = payload[WIRE_TELL_BOUNCES];
    }
}

/* The next one is acted on; what was had before is only acknowledged again. */
static void take(uint8_t length, uint32_t now_ms)
{
    const uint8_t *body = incoming.body;

    if (!session)
        return;
    if (body[FRAME_NUMBER] == (uint8_t)(last_taken + 1)) {
        last_taken++;
        act(body[FRAME_KIND], body + FRAME_PAYLOAD, length, now_ms);
    }
    send(WIRE_TAKEN, last_taken, NULL, 0);
}

static void hear(uint8_t length, uint32_t now_ms)
{
    const uint8_t *payload = incoming.body + FRAME_PAYLOAD;

    switch (incoming.body[FRAME_KIND]) {
    case WIRE_ASK:
        link_hello();
        break;
    case WIRE_BEGIN:
        if (length == WIRE_BEGIN_LENGTH)
            begin(word_at(payload + WIRE_BEGIN_SESSION));
        break;
    case WIRE_SETUP:
        if (length == WIRE_SETUP_LENGTH)
            set_up(payload);
        break;
    case WIRE_NOTED:
        presses_noted(incoming.body[FRAME_NUMBER]);
        break;
    default:
        take(length, now_ms);
    }
}

static void send_press(const struct press *press)
{
    uint8_t payload[WIRE_FELT_LENGTH];

    /* What a press says, the longer message says at the same places. */
    _Static_assert(WIRE_FELT_PICTURE == WIRE_PRESS_PICTURE, "felt begins as press does");
    payload[WIRE_PRESS_BUTTON] = press->button;
    put_word(payload + WIRE_PRESS_HELD, press->held_ms);
    put_word(payload + WIRE_PRESS_PICTURE, press->picture);
    payload[WIRE_FELT_BOUNCED] = press->bounced_ms;
    if (tells_bounces)
        send(WIRE_FELT, press->number, payload, WIRE_FELT_LENGTH);
    else
        send(WIRE_PRESS, press->number, payload, WIRE_PRESS_LENGTH);
}

static void send_presses(uint32_t now_ms)
{
    uint8_t index;

    for (index = 0; index < WIRE_WINDOW; index++) {
        const struct press *press = presses_due(index, now_ms);

        if (!press)
            return;
        send_press(press);
    }
}

void link_poll(uint32_t now_ms)
{
    int16_t byte;

    while ((byte = uart_receive()) >= 0) {
        int16_t length = frame_take(&incoming, (uint8_t)byte);

        if (length >= 0) {
            hear((uint8_t)length, now_ms);
            break; /* one frame a turn: the buttons and the watchdog wait for us */
        }
        if (length == FRAME_DAMAGED)
            damaged = add_up(damaged, 1);
    }
    send_presses(now_ms);
}
