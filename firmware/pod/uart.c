#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "ring.h"
#include "wire.h"

/* Double speed divides by 8: 500 kBd is exact at 16 MHz. */
#define DIVIDER (F_CPU / 8 / WIRE_BAUD - 1)

/* Producer: the receive interrupt. Consumer: the main loop. */
static struct ring received;
static volatile uint8_t lost;

ISR(USART_RX_vect)
{
    uint8_t status = UCSR0A; /* belongs to the byte, so it is read before it */
    uint8_t byte = UDR0;
    bool is_broken = status & (_BV(FE0) | _BV(DOR0));
    bool is_kept = ring_put(&received, byte);

    if ((is_broken || !is_kept) && lost != UINT8_MAX)
        lost++;
}

void uart_begin(void)
{
    UBRR0 = DIVIDER;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

int16_t uart_receive(void)
{
    return ring_get(&received);
}

bool uart_is_empty(void)
{
    return ring_is_empty(&received);
}

void uart_send(const uint8_t *bytes, uint8_t length)
{
    while (length--) {
        while (!(UCSR0A & _BV(UDRE0)))
            ;
        UDR0 = *bytes++;
    }
}

uint8_t uart_lost(void)
{
    return lost;
}
