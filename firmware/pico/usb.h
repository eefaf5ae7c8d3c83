/* What the pod says of itself on USB. */
#ifndef PICO_USB_H
#define PICO_USB_H

#include <stdint.h>

/* Makes the serial number of the flash chip's eight bytes. */
void usb_name(const uint8_t *unique);

/* A descriptor of a type and its number; 0: there is none. */
const uint8_t *usb_descriptor(uint8_t type, uint8_t index, uint16_t *length);

#endif
