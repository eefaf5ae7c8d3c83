/* The screen: an SSD1306 or SSD1309, or an SH1106, with 128 x 64 dots at the address of pins.h.
 * All three know page addressing, so there is one way of writing for all. A screen that does
 * not answer is left alone and tried again twice a second; the rest of the pod never waits. */
#ifndef POD_SCREEN_H
#define POD_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the screen, dark. `controller` is one of wire.h's CONTROLLER_. */
void screen_begin(uint8_t controller);

/* Shows columns of a page, bit 0 on top; what does not fit on the page is left out. */
void screen_span(uint8_t page, uint8_t start, const uint8_t *dots, uint8_t length);

/* The spans shown make the picture of this number of the table's; 0: none. */
void screen_shows(uint16_t picture);
uint16_t screen_picture(void);

/* The screen is in use: bright from now on. True: it was asleep. */
bool screen_wake(uint32_t now_ms);

/* Looks after the screen: notices that it has gone, starts it when it is back; dims it and puts
 * it to sleep when it is not in use, since its dots wear out. True: it was started, and is empty. */
bool screen_poll(uint32_t now_ms);

/* How often the screen was started, 1 to 255 and round again; 0: it is dead. */
uint8_t screen_starts(void);

#endif
