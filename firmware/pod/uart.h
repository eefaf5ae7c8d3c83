/* The serial line to the table: 8 data bits, no parity, one stop bit, WIRE_BAUD. */
#ifndef POD_UART_H
#define POD_UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_begin(void);

/* The next byte received, or -1: none. */
int16_t uart_receive(void);

/* Whether nothing waits to be received. */
bool uart_is_empty(void);

/* Sends and waits for room: 20 us a byte at most. */
void uart_send(const uint8_t *bytes, uint8_t length);

/* Bytes lost since the start, up to 255: the ring or the chip's own buffer was full, or a stop
 * bit was missing. */
uint8_t uart_lost(void);

#endif
