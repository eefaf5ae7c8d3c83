/* Starts the program anew where its loop has not come round for half a second.
 *
 * The chip's own way, a reset, goes through the boot loader, and the old one of many Nanos
 * (ATmegaBOOT) leaves the watchdog running at its shortest time: it bites again before that boot
 * loader has ended, for ever, until the plug is pulled. So its first bite is an interrupt that
 * jumps to the beginning; only where interrupts are off does the second reset the chip. What starts
 * anew finds the pins as they were left: each part's begin must set its own. */
#ifndef POD_WATCHDOG_H
#define POD_WATCHDOG_H

void watchdog_begin(void);

/* The loop has come round. */
void watchdog_feed(void);

#endif
