/* The pod's lines on a Pico: made from companion/seats/seat.toml by tools/pinmap.py; change that and run it again. */
#ifndef PICO_PINS_H
#define PICO_PINS_H

#define PICO_BUTTONS {2, 3, 4, 5, 6, 7}
#define PICO_LED 15
#define PICO_BUZZER 14
#define PICO_SDA 0
#define PICO_SCL 1
#define PICO_VENDOR 0x2E8A
#define PICO_PRODUCT 0x000A
#define PICO_NAME "race-companion pod"

#endif
