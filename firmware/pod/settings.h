/* What the pod keeps without power. A fresh chip has number 0 (none) and an SSD1306. */
#ifndef POD_SETTINGS_H
#define POD_SETTINGS_H

#include <stdint.h>

uint8_t settings_pod(void);
uint8_t settings_controller(void);

/* Writes only what differs: the memory bears 100 000 changes. Takes up to 7 ms. */
void settings_keep(uint8_t pod, uint8_t controller);

#endif
