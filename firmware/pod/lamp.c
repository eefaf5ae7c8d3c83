#include "lamp.h"

#include <stdbool.h>

#include "signs.h"
#include "wire.h"

#define BEEP_MS 10

static uint32_t began_ms;
static uint16_t length_ms;
static uint32_t turned_ms;
static bool is_lit, blinks;

static void lamp(bool on)
{
    is_lit = on;
    signs_lamp(on);
}

void lamp_begin(void)
{
    signs_begin();
}

void lamp_signal(uint8_t mode, uint8_t beep, uint32_t now_ms)
{
    blinks = mode == LAMP_BLINKS;
    turned_ms = now_ms;
    lamp(mode != LAMP_OFF);
    if (beep) {
        began_ms = now_ms;
        length_ms = beep * BEEP_MS;
        signs_buzzer(true);
    }
}

void lamp_poll(uint32_t now_ms)
{
    if (blinks && now_ms - turned_ms >= WIRE_BLINK_MS) {
        turned_ms = now_ms;
        lamp(!is_lit);
    }
    if (length_ms && now_ms - began_ms >= length_ms) {
        length_ms = 0;
        signs_buzzer(false);
    }
}
