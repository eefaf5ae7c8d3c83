/* The optional lamp and buzzer. */
#ifndef POD_LAMP_H
#define POD_LAMP_H

#include <stdint.h>

void lamp_begin(void);

/* The lamp as one of wire.h's LAMP_… (what we do not know is lit), and a sound of `beep` times
 * 10 ms from now on; 0: none. */
void lamp_signal(uint8_t mode, uint8_t beep, uint32_t now_ms);

/* Blinks, and ends the sound when its time is over. */
void lamp_poll(uint32_t now_ms);

#endif
