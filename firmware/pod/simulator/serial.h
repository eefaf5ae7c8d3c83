/* SPDX-License-Identifier: GPL-3.0-or-later
 * The serial line at 500 kBd, with its faults. The chip holds two bytes and one that is coming
 * in: what arrives beyond that is lost. A chip at another rate hears and speaks rubbish. */
#ifndef PODSIM_SERIAL_H
#define PODSIM_SERIAL_H

#include <sim_avr.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_CYCLES_PER_BYTE 320

enum direction { TO_POD, FROM_POD };
enum fault { FAULT_DROP, FAULT_FLIP, FAULTS };

void serial_attach(avr_t *avr);

/* Bytes for the pod wait here until the line has time for them. */
void serial_send(const uint8_t *bytes, size_t length);

/* Takes what the pod has sent, at most `room` bytes. */
size_t serial_receive(uint8_t *bytes, size_t room);

/* Of a thousand bytes so many are lost, or have one wrong bit. */
void serial_fault(enum direction direction, enum fault fault, unsigned per_mille);

/* Both queues are empty from now on: the plug was pulled. */
void serial_clear(void);

/* Once a byte's time: the next byte reaches the chip. */
void serial_deliver(void);

/* What the chip's registers set. */
unsigned serial_baud(void);
unsigned serial_cycles_per_byte(void);

struct serial_figures {
    uint64_t to_pod, from_pod, overruns;
    uint64_t last_heard;  /* cycle at which the pod was last given a byte */
    uint64_t first_since; /* cycle of the pod's first byte since a button last moved; 0: none */
};
struct serial_figures serial_figures(void);

#endif
