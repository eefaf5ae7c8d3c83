/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chip.h"

#include <avr_eeprom.h>
#include <avr_twi.h>
#include <avr_uart.h>
#include <sim_hex.h>
#include <sim_time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buttons.h"
#include "glass.h"
#include "serial.h"
#include "wires.h"

#define RAM_START 0x100
#define RAM_END 0x8FF
#define STACK_POINTER 0x5D
#define NUMBER_AT 1 /* in the EEPROM: settings.c */

static avr_t *avr;
static avr_twi_t *twi;
static avr_uart_t *uart;
static bool has_pull_ups = true;
static unsigned slowness = 1;
static const char *boot_loader; /* NULL: the image starts by itself */
static unsigned deepest = RAM_END;
static unsigned resets;
static avr_cycle_count_t last_byte; /* when once_a_byte last came */

double chip_bus_hz(void)
{
    static const int prescaler[] = {1, 4, 16, 64};
    int divider = avr->data[twi->r_twbr] * prescaler[avr->data[twi->r_twsr] & 3];

    return (double)CHIP_HZ / (16 + 2.0 * divider);
}

unsigned chip_stack_used(void)
{
    return RAM_END - deepest;
}

unsigned chip_resets(void)
{
    return resets;
}

void chip_connect_bus(bool pull_ups)
{
    has_pull_ups = pull_ups;
}

void chip_slow_bus(unsigned times)
{
    slowness = times;
}

/* Stands in for simavr's own. Version 1.6 runs the bus at 1 MHz whatever the bit rate register
 * says, reports "data acknowledged" for the address, and leaves TWINT set after the write that
 * clears it. All three are put right where it sets the time of the next event of the bus. */
void avr_cycle_timer_register_usec(avr_t *of, uint32_t when, avr_cycle_timer_t timer, void *param)
{
    double bit = (double)CHIP_HZ / (twi ? chip_bus_hz() : 1);
    avr_cycle_count_t cycles = avr_usec_to_cycles(of, when);

    if (!twi || param != twi) {
        avr_cycle_timer_register(of, cycles, timer, param);
        return;
    }
    cycles = (avr_cycle_count_t)((when ? when : 2) * bit);
    if (glass_was_addressed()) {
        twi->next_twstate = glass_is_selected() ? 0x18 : 0x20;
        cycles = (avr_cycle_count_t)(9 * bit);
    }
    cycles *= slowness;
    avr_regbit_clear(of, twi->twi.raised);
    if (has_pull_ups && !wires_are_held())
        avr_cycle_timer_register(of, cycles, timer, param);
}

/* Once a byte: version 1.6 counts 11 bits for 8N1. And avr_reset drops all timers: where this
 * one has not come for two bytes, there was a reset. */
static avr_cycle_count_t once_a_byte(avr_t *of, avr_cycle_count_t when, void *param)
{
    (void)of;
    (void)param;
    last_byte = avr->cycle;
    uart->cycles_per_byte = serial_cycles_per_byte();
    serial_deliver();
    return when + LINE_CYCLES_PER_BYTE;
}

static void after_reset(void)
{
    resets++;
    last_byte = avr->cycle;
    avr_cycle_timer_register(avr, LINE_CYCLES_PER_BYTE, once_a_byte, NULL);
    buttons_after_reset();
}

static void find_parts(void)
{
    for (avr_io_t *io = avr->io_port; io; io = io->next) {
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
        if (!strcmp(io->kind, "twi"))
            twi = (avr_twi_t *)io;
    }
}

/* Writes all pieces of a .hex file; *start and *end are of the lowest and the highest. */
static bool write_image(const char *image, uint32_t *start, uint32_t *end)
{
    ihex_chunk_p pieces = NULL;
    int count = read_ihex_chunks(image, &pieces);
    bool fits = count > 0;

    *start = avr->flashend + 1;
    *end = 0;
    for (int i = 0; i < count; i++) {
        uint32_t from = pieces[i].baseaddr, to = from + pieces[i].size;

        if (from == to)
            continue;
        fits = fits && to <= avr->flashend + 1;
        if (fits)
            memcpy(avr->flash + from, pieces[i].data, pieces[i].size);
        *start = from < *start ? from : *start;
        *end = to > *end ? to : *end;
    }
    if (count > 0)
        free_ihex_chunks(pieces);
    if (!fits)
        fprintf(stderr, "podsim: %s is no image for this chip\n", image);
    return fits;
}

static bool load(const char *image)
{
    uint32_t start, end;

    memset(avr->flash, 0xFF, avr->flashend + 1);
    if (!write_image(image, &start, &end))
        return false;
    if (boot_loader) {
        if (!write_image(boot_loader, &start, &end))
            return false;
        avr->reset_pc = start; /* as the fuse BOOTRST has it */
    }
    avr->codeend = end;
    return true;
}

/* Stands in for simavr's own, which sleeps in real time: ours is kept elsewhere, or stands still. */
static void sleep_at_once(avr_t *of, avr_cycle_count_t cycles)
{
    (void)of;
    (void)cycles;
}

avr_t *chip_make(const char *image, const char *boot)
{
    uint32_t flags = 0;

    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr)
        return NULL;
    avr_init(avr);
    avr->frequency = CHIP_HZ;
    avr->log = LOG_ERROR;
    avr->sleep = sleep_at_once;
    boot_loader = boot;
    if (!load(image))
        return NULL;
    find_parts();
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    return avr;
}

void chip_keep_number(uint8_t number)
{
    avr_eeprom_desc_t kept = {.ee = &number, .offset = NUMBER_AT, .size = 1};

    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &kept);
}

void chip_reset(void)
{
    avr_reset(avr);
    after_reset();
}

void chip_power_up(void)
{
    for (unsigned at = RAM_START; at <= RAM_END; at++)
        avr->data[at] = (uint8_t)rand();
    deepest = RAM_END;
    chip_reset();
}

bool chip_flash(const char *image)
{
    if (!load(image))
        return false;
    chip_reset();
    return true;
}

static bool run_a_byte(avr_cycle_count_t end)
{
    while (avr->cycle < end) {
        int state = avr_run(avr);
        unsigned stack = avr->data[STACK_POINTER] | avr->data[STACK_POINTER + 1] << 8;

        if (state == cpu_Done || state == cpu_Crashed)
            return false;
        if (stack >= RAM_START && stack < deepest)
            deepest = stack;
    }
    return true;
}

bool chip_run(uint64_t cycles)
{
    avr_cycle_count_t end = avr->cycle + cycles;

    while (avr->cycle < end) {
        avr_cycle_count_t soon = avr->cycle + LINE_CYCLES_PER_BYTE;

        if (!run_a_byte(soon < end ? soon : end))
            return false;
        if (avr->cycle - last_byte > 2 * LINE_CYCLES_PER_BYTE)
            after_reset();
    }
    return true;
}
