/* What the modules of this board share. */
#ifndef PICO_BOARD_H
#define PICO_BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Resets some blocks (RESET_… of registers.h) and waits until they are ready. */
void board_unreset(uint32_t blocks);

/* Microseconds since the start; they wrap after 71 minutes. */
uint32_t board_us(void);

/* A pin for the program itself: an input that is pulled up, or an output that is low. */
void pin_input(uint8_t pin);
void pin_output(uint8_t pin);
void pin_set(uint8_t pin, bool high);
bool pin_is_high(uint8_t pin);

/* The flash chip's own number of 64 bits, read once before anything interrupts. */
#define UNIQUE_BYTES 8
void settings_begin(void);
const uint8_t *settings_unique(void);

/* The interrupts. */
void on_timer(void);
void on_usb(void);

#endif
