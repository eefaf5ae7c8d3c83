/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "glass.h"

#include <avr_twi.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS 0x3C
#define PAGES 8
#define COLUMNS 128
#define SH1106_COLUMNS 132
#define SH1106_MARGIN 2
#define NO_CONTROL (-1)

enum mode { HORIZONTAL, VERTICAL, PAGEWISE };

static avr_t *avr;
static avr_irq_t *answer;
static bool is_sh1106;
static bool has_power;
static bool is_selected, was_addressed;
static int control = NO_CONTROL;
static struct glass_figures figures;

static uint8_t memory[PAGES][SH1106_COLUMNS];
static struct {
    uint8_t first, last, at;
} column, page;
static enum mode mode;
static bool is_inverse;

/* A command and the arguments that it still waits for. */
static struct {
    uint8_t code, wanted, got, argument[6];
} command;

static unsigned columns(void)
{
    return is_sh1106 ? SH1106_COLUMNS : COLUMNS;
}

static uint8_t arguments_of(uint8_t code)
{
    if (strchr("\x81\xA8\xD3\xD5\xD9\xDA\xDB", code) && code)
        return 1;
    if (is_sh1106)
        return code == 0xAD;
    switch (code) {
    case 0x20:
    case 0x8D:
        return 1;
    case 0x21:
    case 0x22:
    case 0xA3:
        return 2;
    case 0x26:
    case 0x27:
        return 6;
    case 0x29:
    case 0x2A:
        return 5;
    default:
        return 0;
    }
}

static void act_with_arguments(void)
{
    const uint8_t *argument = command.argument;

    if (command.code == 0x20) {
        mode = argument[0] & 3;
    } else if (command.code == 0x21) {
        column.first = column.at = argument[0] & 127;
        column.last = argument[1] & 127;
    } else if (command.code == 0x22) {
        page.first = page.at = argument[0] & 7;
        page.last = argument[1] & 7;
    } else if (command.code == 0x81) {
        figures.contrast = argument[0];
    } else if (command.code == 0x8D) {
        figures.has_pump = argument[0] == 0x14;
    } else if (command.code == 0xAD) {
        figures.has_pump = argument[0] == 0x8B;
    }
}

static void act(uint8_t code)
{
    if (code < 0x10)
        column.at = (column.at & 0xF0) | code;
    else if (code < 0x20)
        column.at = (uint8_t)((column.at & 0x0F) | (code & 0x0F) << 4);
    else if (code >= 0xB0 && code < 0xB8)
        page.at = code & 7;
    else if ((code & 0xFE) == 0xA6)
        is_inverse = code & 1;
    else if ((code & 0xFE) == 0xAE)
        figures.is_on = code & 1;
    else if (!((code >= 0x40 && code < 0x80) || (code & 0xFE) == 0xA0 || (code & 0xFE) == 0xA4
               || (code & 0xF0) == 0xC0 || code == 0xE3 || (!is_sh1106 && (code & 0xFE) == 0x2E)))
        figures.unknown++;
}

static void take_command(uint8_t byte)
{
    if (command.wanted == 0) {
        command.code = byte;
        command.got = 0;
        command.wanted = arguments_of(byte);
        if (!command.wanted)
            act(byte);
        return;
    }
    command.argument[command.got++] = byte;
    if (command.got == command.wanted) {
        command.wanted = 0;
        act_with_arguments();
    }
}

static void next_page(void)
{
    page.at = page.at == page.last ? page.first : (page.at + 1) & 7;
}

static void next_column(void)
{
    if (is_sh1106)
        column.at = column.at < SH1106_COLUMNS - 1 ? column.at + 1 : column.at;
    else if (mode == PAGEWISE)
        column.at = (column.at + 1) & 127;
    else
        column.at = column.at == column.last ? column.first : (column.at + 1) & 127;
}

static void take_dots(uint8_t byte)
{
    if (column.at < columns())
        memory[page.at][column.at] = byte;
    figures.last_dot = avr->cycle;
    if (!is_sh1106 && mode == VERTICAL) {
        if (page.at == page.last)
            next_column();
        next_page();
        return;
    }
    if (!is_sh1106 && mode == HORIZONTAL && column.at == column.last)
        next_page();
    next_column();
}

static void take(uint8_t byte)
{
    bool is_dots = control & 0x40, is_single = control & 0x80;

    if (control == NO_CONTROL) {
        control = byte;
        return;
    }
    if (is_dots)
        take_dots(byte);
    else
        take_command(byte);
    if (is_single)
        control = NO_CONTROL;
}

static void acknowledge(uint8_t address)
{
    avr_raise_irq(answer, avr_twi_irq_msg(TWI_COND_ACK, address, 1));
}

static void hear(struct avr_irq_t *irq, uint32_t value, void *param)
{
    avr_twi_msg_irq_t heard = {.u.v = value};
    uint8_t what = heard.u.twi.msg, address = heard.u.twi.addr;

    (void)irq;
    (void)param;
    if (what & TWI_COND_STOP)
        is_selected = false;
    if (what & TWI_COND_START) {
        figures.bytes++;
        was_addressed = true;
        is_selected = has_power && address >> 1 == ADDRESS && !(address & 1);
        control = NO_CONTROL;
        if (is_selected)
            acknowledge(address);
    }
    if (is_selected && (what & TWI_COND_WRITE)) {
        figures.bytes++;
        acknowledge(address);
        take(heard.u.twi.data);
    }
}

void glass_attach(avr_t *of, bool sh1106)
{
    avr = of;
    is_sh1106 = sh1106;
    answer = avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_OUTPUT), hear,
                            NULL);
}

void glass_power(bool on)
{
    has_power = on;
    is_selected = false;
    figures.is_on = figures.has_pump = false;
    figures.contrast = 0x7F;
    is_inverse = false;
    mode = PAGEWISE;
    memset(&command, 0, sizeof command);
    memset(&column, 0, sizeof column);
    memset(&page, 0, sizeof page);
    column.last = COLUMNS - 1;
    page.last = PAGES - 1;
    for (unsigned i = 0; i < sizeof memory; i++)
        memory[i / SH1106_COLUMNS][i % SH1106_COLUMNS] = (uint8_t)rand();
}

void glass_read(uint8_t bytes[GLASS_BYTES])
{
    bool is_lit = has_power && figures.is_on && figures.has_pump;
    unsigned margin = is_sh1106 ? SH1106_MARGIN : 0;

    for (unsigned i = 0; i < GLASS_BYTES; i++) {
        uint8_t dots = memory[i / COLUMNS][i % COLUMNS + margin];

        bytes[i] = is_lit ? (uint8_t)(is_inverse ? ~dots : dots) : 0;
    }
}

bool glass_was_addressed(void)
{
    bool was = was_addressed;

    was_addressed = false;
    return was;
}

bool glass_is_selected(void)
{
    return is_selected;
}

struct glass_figures glass_figures(void)
{
    return figures;
}
