/* The pins of lamp and buzzer. */
#ifndef POD_SIGNS_H
#define POD_SIGNS_H

#include <stdbool.h>

/* Both off, and from now on outputs. */
void signs_begin(void);

/* Nothing happens where the pin map has no such part. */
void signs_lamp(bool on);
void signs_buzzer(bool on);

#endif
