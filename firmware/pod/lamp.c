#include "lamp.h"

#include "gpio.h"

#define BEEP_MS 10

static uint32_t began_ms;
static uint16_t length_ms;

static void lamp(bool on)
{
#if HAS_LED
    if (on)
        GPIO_HIGH(LED);
    else
        GPIO_LOW(LED);
#else
    (void)on;
#endif
}

static void buzzer(bool on)
{
#if HAS_BUZZER
    if (on)
        GPIO_HIGH(BUZZER);
    else
        GPIO_LOW(BUZZER);
#else
    (void)on;
#endif
}

void lamp_begin(void)
{
#if HAS_LED
    GPIO_OUTPUT(LED);
#endif
#if HAS_BUZZER
    GPIO_OUTPUT(BUZZER);
#endif
}

void lamp_signal(bool on, uint8_t beep, uint32_t now_ms)
{
    lamp(on);
    if (beep) {
        began_ms = now_ms;
        length_ms = beep * BEEP_MS;
        buzzer(true);
    }
}

void lamp_poll(uint32_t now_ms)
{
    if (length_ms && now_ms - began_ms >= length_ms) {
        length_ms = 0;
        buzzer(false);
    }
}
