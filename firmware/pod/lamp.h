/* The optional lamp and buzzer. */
#ifndef POD_LAMP_H
#define POD_LAMP_H

#include <stdbool.h>
#include <stdint.h>

void lamp_begin(void);

/* Lamp on or off, and a sound of `beep` times 10 ms from now on; 0: none. */
void lamp_signal(bool on, uint8_t beep, uint32_t now_ms);

/* Ends the sound when its time is over. */
void lamp_poll(uint32_t now_ms);

#endif
