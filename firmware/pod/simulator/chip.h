/* SPDX-License-Identifier: GPL-3.0-or-later
 * The ATmega328P: simavr's, with its timing put right, and what it reveals of the firmware. */
#ifndef PODSIM_CHIP_H
#define PODSIM_CHIP_H

#include <sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

#define CHIP_HZ 16000000ULL
#define CYCLES_PER_MS (CHIP_HZ / 1000)
#define CYCLES_PER_US (CHIP_HZ / 1000000)

/* The chip with the image of a .hex file in its flash, and the boot loader of another (NULL: none);
 * NULL and a word on stderr: it cannot. */
avr_t *chip_make(const char *image, const char *boot);

/* Its EEPROM holds the pod's number, as if it had been set up before. */
void chip_keep_number(uint8_t number);

/* Power comes on: memory holds noise, everything starts anew. The EEPROM stays. */
void chip_power_up(void);

/* The reset button: memory stays. */
void chip_reset(void);

/* Another image is written over the one that is there, and started; false: it cannot. */
bool chip_flash(const char *image);

/* Runs for so many cycles; false: the program has stopped for good. */
bool chip_run(uint64_t cycles);

/* Without pull-ups on the bus, no transfer ever ends. */
void chip_connect_bus(bool has_pull_ups);

/* Each byte on the bus takes so many times as long: a device that stretches the clock. */
void chip_slow_bus(unsigned times);

/* What the registers set: 0 before they are set. */
double chip_bus_hz(void);

/* The most stack that was in use since power came on, in bytes. */
unsigned chip_stack_used(void);

/* How often it was reset since it was made, by whomever. */
unsigned chip_resets(void);

#endif
