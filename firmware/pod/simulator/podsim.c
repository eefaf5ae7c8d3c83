/* SPDX-License-Identifier: GPL-3.0-or-later
 * podsim IMAGE [--port LINK] [--pod N] [--sh1106] [--seed N] [--boot HEX]: see README.md. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "buttons.h"
#include "chip.h"
#include "control.h"
#include "glass.h"
#include "lamps.h"
#include "serial.h"
#include "wires.h"

#define COMMAND_BYTES 16384
#define SLICE_CYCLES (CYCLES_PER_MS / 4)
#define LATE_S 0.1 /* more than that behind, the lost time is let go */

static const char *port_link;
static int port = -1, kept_open = -1;

static void close_port(void)
{
    if (port < 0)
        return;
    unlink(port_link);
    close(kept_open);
    close(port);
    port = -1;
}

/* We keep the terminal's other end open ourselves: else reading fails while nobody has it. */
static void open_port(void)
{
    char name[64];
    struct termios raw;

    memset(&raw, 0, sizeof raw);
    cfmakeraw(&raw);
    raw.c_cflag |= CREAD | CLOCAL;
    unlink(port_link);
    if (openpty(&port, &kept_open, name, &raw, NULL) || symlink(name, port_link)) {
        perror("podsim: no port");
        exit(2);
    }
    fcntl(port, F_SETFL, O_NONBLOCK);
}

static void plug(bool in)
{
    if (!port_link)
        return;
    close_port();
    if (in)
        open_port();
}

static void exchange(void)
{
    uint8_t bytes[512];
    ssize_t got = port < 0 ? 0 : read(port, bytes, sizeof bytes);
    size_t sent;

    if (got > 0)
        serial_send(bytes, (size_t)got);
    sent = serial_receive(bytes, sizeof bytes);
    if (port >= 0 && sent && write(port, bytes, sent) != (ssize_t)sent)
        fprintf(stderr, "podsim: nobody reads the port\n");
}

/* Answers what stands on standard input; false: quit, or its other end is closed. */
static bool obey(void)
{
    static char line[COMMAND_BYTES];
    static size_t length;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};

    while (poll(&input, 1, 0) > 0) {
        if (read(STDIN_FILENO, line + length, 1) != 1)
            return false;
        if (line[length] != '\n' && length + 2 < sizeof line) {
            length++;
            continue;
        }
        line[length] = 0;
        length = 0;
        if (!control_answer(line))
            return false;
    }
    return true;
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Time passes in here as it does outside. */
static int run_paced(void)
{
    double due_s = now_s();

    while (obey()) {
        double ahead_s;

        exchange();
        if (!control_pass_time(SLICE_CYCLES)) {
            fprintf(stderr, "podsim: the firmware has stopped\n");
            return 3;
        }
        due_s += (double)SLICE_CYCLES / (double)CHIP_HZ;
        ahead_s = due_s - now_s();
        if (ahead_s > 0)
            usleep((useconds_t)(ahead_s * 1e6));
        else if (ahead_s < -LATE_S)
            due_s = now_s();
    }
    close_port();
    return 0;
}

/* Time stands still but for `run`. */
static int run_told(void)
{
    static char line[COMMAND_BYTES];

    while (fgets(line, sizeof line, stdin) && control_answer(line))
        ;
    return 0;
}

int main(int count, char **words)
{
    static const struct option options[] = {
        {"port", required_argument, NULL, 'p'},
        {"pod", required_argument, NULL, 'n'},
        {"sh1106", no_argument, NULL, 's'},
        {"seed", required_argument, NULL, 'r'},
        {"boot", required_argument, NULL, 'b'},
        {NULL, 0, NULL, 0},
    };
    const char *boot = NULL;
    bool is_sh1106 = false;
    int number = 0;
    avr_t *avr;
    int option;

    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no simulator outlives its test */
    while ((option = getopt_long(count, words, "", options, NULL)) != -1) {
        if (option == 'p')
            port_link = optarg;
        else if (option == 's')
            is_sh1106 = true;
        else if (option == 'n')
            number = atoi(optarg);
        else if (option == 'b')
            boot = optarg;
        else if (option == 'r')
            srand((unsigned)atoi(optarg));
        else
            return 2;
    }
    if (optind != count - 1) {
        fprintf(stderr, "podsim IMAGE [--port LINK] [--pod N] [--sh1106] [--seed N] [--boot HEX]\n");
        return 2;
    }
    avr = chip_make(words[optind], boot);
    if (!avr)
        return 2;
    if (number)
        chip_keep_number((uint8_t)number);
    glass_attach(avr, is_sh1106);
    serial_attach(avr);
    buttons_attach(avr);
    lamps_attach(avr);
    wires_attach(avr);
    control_begin(avr, plug);
    control_answer((char[]){"plug"});
    return port_link ? run_paced() : run_told();
}
