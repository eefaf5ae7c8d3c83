/* Tables that stay in the flash, which an AVR reads by instructions of their own. */
#ifndef POD_FLASH_H
#define POD_FLASH_H

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#define PROGMEM
#define pgm_read_byte(address) (*(address))
#endif

#endif
