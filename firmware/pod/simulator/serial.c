/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "serial.h"

#include <avr_uart.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "buttons.h"

#define QUEUE 65536 /* a power of two: the indexes wrap */
#define CHIP_HOLDS 3
#define UCSR0A 0xC0
#define UBRR0 0xC4
#define U2X 2

struct queue {
    uint8_t bytes[QUEUE];
    unsigned head, tail;
};

static avr_t *avr;
static avr_uart_t *uart;
static avr_irq_t *input;
static struct queue queues[2];
static unsigned faults[2][FAULTS];
static struct serial_figures figures;

unsigned serial_cycles_per_byte(void)
{
    unsigned divider = avr->data[UBRR0] | (avr->data[UBRR0 + 1] & 15) << 8;

    return (divider + 1) * (avr->data[UCSR0A] & U2X ? 8 : 16) * 10;
}

unsigned serial_baud(void)
{
    return avr->frequency * 10 / serial_cycles_per_byte();
}

static void put(enum direction direction, uint8_t byte)
{
    struct queue *queue = &queues[direction];

    queue->bytes[queue->head++ % QUEUE] = byte;
}

static bool get(enum direction direction, uint8_t *byte)
{
    struct queue *queue = &queues[direction];

    if (queue->head == queue->tail)
        return false;
    *byte = queue->bytes[queue->tail++ % QUEUE];
    return true;
}

static bool strikes(enum direction direction, enum fault fault)
{
    return (unsigned)rand() % 1000 < faults[direction][fault];
}

/* What is left of a byte; false: nothing. */
static bool survives(enum direction direction, uint8_t *byte)
{
    unsigned baud = serial_baud(), line = avr->frequency * 10 / LINE_CYCLES_PER_BYTE;

    if (strikes(direction, FAULT_DROP))
        return false;
    if (strikes(direction, FAULT_FLIP))
        *byte ^= (uint8_t)(1 << rand() % 8);
    if (baud > line + line / 30 || baud < line - line / 30)
        *byte = (uint8_t)rand();
    return true;
}

static void on_output(struct avr_irq_t *irq, uint32_t value, void *param)
{
    uint8_t byte = (uint8_t)value;

    (void)irq;
    (void)param;
    figures.from_pod++;
    if (buttons_moved_at() && figures.first_since < buttons_moved_at())
        figures.first_since = avr->cycle;
    if (survives(FROM_POD, &byte))
        put(FROM_POD, byte);
}

void serial_attach(avr_t *of)
{
    avr = of;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT),
                            on_output, NULL);
}

void serial_send(const uint8_t *bytes, size_t length)
{
    while (length--)
        put(TO_POD, *bytes++);
}

size_t serial_receive(uint8_t *bytes, size_t room)
{
    size_t length = 0;

    while (length < room && get(FROM_POD, bytes + length))
        length++;
    return length;
}

void serial_fault(enum direction direction, enum fault fault, unsigned per_mille)
{
    faults[direction][fault] = per_mille;
}

void serial_clear(void)
{
    for (int i = 0; i < 2; i++)
        queues[i].head = queues[i].tail = 0;
}

void serial_deliver(void)
{
    uint8_t byte;
    unsigned held = (unsigned)(uart->input.write - uart->input.read) & 63;

    if (!get(TO_POD, &byte))
        return;
    figures.to_pod++;
    if (!survives(TO_POD, &byte))
        return;
    if (held >= CHIP_HOLDS) {
        figures.overruns++;
        return;
    }
    figures.last_heard = avr->cycle;
    avr_raise_irq(input, byte);
}

struct serial_figures serial_figures(void)
{
    return figures;
}
