/* Writing to the I2C bus, at 400 kHz, without ever waiting for good: every step has an end. */
#ifndef POD_TWI_H
#define POD_TWI_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the bus up; frees it where a device that was interrupted still holds SDA down. Each transfer
 * ends after 5 ms at most, done or not. */
void twi_begin(void);

/* START, the address, one byte; false: not acknowledged, as far as is known yet. */
bool twi_open(uint8_t address, uint8_t first);

/* One more byte; false: this or one before was not acknowledged. */
bool twi_write(uint8_t byte);

/* STOP; after a failure too. False: something was not acknowledged, of which some chips learn only
 * now. */
bool twi_close(void);

#endif
