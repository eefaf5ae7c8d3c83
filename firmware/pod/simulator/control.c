/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   press N | release N            button 1 to 6
 *   bounce N MOVES                 the button goes to its other side, bouncing
 *   screen                         the dots seen, 2048 hexadecimal digits in page order
 *   screen on | screen off         the screen's plug
 *   bus on | bus off               the bus with and without its pull-ups
 *   bus slow N                     each byte on it takes N times as long
 *   sda stuck N                    a device holds SDA for N clocks, then waits for a STOP
 *   fault to|from drop|flip N      of 1000 bytes to (from) the pod, N are lost (have a wrong bit)
 *   reboot                         the reset button
 *   unplug | plug                  the cable: power and line
 *   flash FILE                     another image is written, and started
 *   figures                        JSON
 *   quit
 * Without a port also:
 *   send HEX                       bytes for the pod
 *   run US                         let time pass, in microseconds; the answer is what the pod has sent, in HEX
 */
#include "control.h"

#include <stdio.h>
#include <string.h>

#include "buttons.h"
#include "chip.h"
#include "glass.h"
#include "lamps.h"
#include "serial.h"
#include "wires.h"

#define LINE_BYTES 8192

static avr_t *avr;
static void (*plug_cable)(bool in);
static bool is_powered;

void control_begin(avr_t *of, void (*plug)(bool in))
{
    avr = of;
    plug_cable = plug;
}

bool control_pass_time(uint64_t cycles)
{
    return !is_powered || chip_run(cycles);
}

static void print_hex(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
}

static void print_screen(void)
{
    uint8_t dots[GLASS_BYTES];

    glass_read(dots);
    print_hex(dots, sizeof dots);
}

static void print_figures(void)
{
    struct serial_figures line = serial_figures();
    struct glass_figures glass = glass_figures();
    struct lamps_figures lamps = lamps_figures();

    printf("{\"cycle\": %llu, \"moved\": %llu, \"first_since\": %llu, \"last_heard\": %llu, "
           "\"last_dot\": %llu, \"bus_bytes\": %llu, \"to_pod\": %llu, \"from_pod\": %llu, "
           "\"overruns\": %llu, \"bus_hz\": %.0f, \"baud\": %u, \"stack\": %u, \"resets\": %u, "
           "\"is_on\": %d, \"has_pump\": %d, \"contrast\": %u, \"unknown\": %u, "
           "\"lamp\": %d, \"lightings\": %u, \"sound\": %llu}\n",
           (unsigned long long)avr->cycle, (unsigned long long)buttons_moved_at(),
           (unsigned long long)line.first_since, (unsigned long long)line.last_heard,
           (unsigned long long)glass.last_dot, (unsigned long long)glass.bytes,
           (unsigned long long)line.to_pod, (unsigned long long)line.from_pod,
           (unsigned long long)line.overruns, chip_bus_hz(), serial_baud(), chip_stack_used(),
           chip_resets(), glass.is_on, glass.has_pump, glass.contrast, glass.unknown,
           lamps.is_lit, lamps.lightings, (unsigned long long)lamps.sound);
}

static void power(bool on)
{
    is_powered = on;
    serial_clear();
    glass_power(on);
    if (on)
        chip_power_up();
    plug_cable(on);
}

static bool send_hex(const char *digits)
{
    unsigned byte;

    for (; sscanf(digits, "%2x", &byte) == 1; digits += 2) {
        uint8_t sent = (uint8_t)byte;

        serial_send(&sent, 1);
    }
    return true;
}

static void run(unsigned us)
{
    static uint8_t sent[LINE_BYTES];

    if (control_pass_time(us * CYCLES_PER_US))
        print_hex(sent, serial_receive(sent, sizeof sent));
    else
        puts("crashed");
}

static bool set_fault(const char *to, const char *kind, unsigned per_mille)
{
    bool is_to = !strcmp(to, "to"), is_drop = !strcmp(kind, "drop");

    if ((!is_to && strcmp(to, "from")) || (!is_drop && strcmp(kind, "flip")))
        return false;
    serial_fault(is_to ? TO_POD : FROM_POD, is_drop ? FAULT_DROP : FAULT_FLIP, per_mille);
    return true;
}

/* Commands of one word that say no more than "ok". */
static bool act_on_word(const char *word)
{
    if (!strcmp(word, "unplug"))
        power(false);
    else if (!strcmp(word, "plug"))
        power(true);
    else if (!strcmp(word, "reboot"))
        chip_reset();
    else if (!strcmp(word, "screen on") || !strcmp(word, "screen off"))
        glass_power(!strcmp(word, "screen on"));
    else if (!strcmp(word, "bus on") || !strcmp(word, "bus off"))
        chip_connect_bus(!strcmp(word, "bus on"));
    else
        return false;
    return true;
}

/* Commands with arguments that say no more than "ok". */
static bool act_with_arguments(const char *line)
{
    unsigned button, number;
    char to[8], kind[8];

    if (sscanf(line, "press %u", &button) == 1 && button - 1 < BUTTONS)
        buttons_move(button - 1, true);
    else if (sscanf(line, "release %u", &button) == 1 && button - 1 < BUTTONS)
        buttons_move(button - 1, false);
    else if (sscanf(line, "bounce %u %u", &button, &number) == 2 && button - 1 < BUTTONS)
        buttons_toggle(button - 1, number);
    else if (sscanf(line, "bus slow %u", &number) == 1 && number)
        chip_slow_bus(number);
    else if (sscanf(line, "sda stuck %u", &number) == 1)
        wires_hold_sda(number);
    else if (sscanf(line, "fault %7s %7s %u", to, kind, &number) == 3)
        return set_fault(to, kind, number);
    else if (!strncmp(line, "flash ", 6))
        return chip_flash(line + 6);
    else
        return !strncmp(line, "send ", 5) && send_hex(line + 5);
    return true;
}

bool control_answer(char *line)
{
    unsigned us;

    line[strcspn(line, "\r\n")] = 0;
    if (!strcmp(line, "quit"))
        return false;
    if (!strcmp(line, "screen"))
        print_screen();
    else if (!strcmp(line, "figures"))
        print_figures();
    else if (sscanf(line, "run %u", &us) == 1)
        run(us);
    else
        puts(act_on_word(line) || act_with_arguments(line) ? "ok" : "what?");
    fflush(stdout);
    return true;
}
