/* The six contacts as they are on the chip's pins. */
#ifndef POD_CONTACTS_H
#define POD_CONTACTS_H

#include <stdint.h>

#include "pins.h"

/* Switches the pull-ups on, and waits until they have charged the wires. */
void contacts_begin(void);

/* The contacts that are closed, button 1 in bit 0. */
uint8_t contacts_closed(void);

#endif
