/* From reset to main: memory, clocks, the vectors. */
#include <stdint.h>

#include "board.h"
#include "registers.h"

#define XOSC_1_TO_15_MHZ 0xAA0
#define XOSC_ENABLE (0xFABUL << 12)
#define XOSC_START_MS_256 47 /* 1 ms at 12 MHz, in 256 clocks */
#define TICK_ENABLE BIT(9)

extern uint32_t data_begin[], data_end[], data_kept[], bss_begin[], bss_end[], stack_top[];
int main(void);
void start(void);

static void stop(void)
{
    for (;;)
        ; /* the watchdog starts it anew */
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16 + 6])(void) = {
    (void (*)(void))stack_top,
    start,
    stop, /* NMI */
    stop, /* hard fault */
    [16 + IRQ_TIMER_0] = on_timer,
    [16 + IRQ_USB] = on_usb,
};

/* 12 MHz of the crystal, times 120, through 6 and 5: 48 MHz for USB and for everything else. */
static void begin_clocks(void)
{
    REGISTER(XOSC_STARTUP) = XOSC_START_MS_256;
    REGISTER(XOSC_CTRL) = XOSC_1_TO_15_MHZ | XOSC_ENABLE;
    while (!(REGISTER(XOSC_STATUS) & BIT(31)))
        ;
    REGISTER(CLK_REF_CTRL) = 2; /* the crystal */
    while (!(REGISTER(CLK_REF_SELECTED) & BIT(2)))
        ;
    board_unreset(RESET_PLL_USB);
    REGISTER(PLL_USB_CS) = 1;
    REGISTER(PLL_USB_FBDIV) = 120;
    CLEAR(PLL_USB_PWR) = BIT(0) | BIT(5); /* power, oscillator */
    while (!(REGISTER(PLL_USB_CS) & BIT(31)))
        ;
    REGISTER(PLL_USB_PRIM) = 6UL << 16 | 5UL << 12;
    CLEAR(PLL_USB_PWR) = BIT(3); /* what divides behind it */
    REGISTER(CLK_SYS_CTRL) = 1UL << 5;          /* the PLL for USB is chosen while it is not used */
    REGISTER(CLK_SYS_CTRL) = 1UL << 5 | BIT(0); /* and used */
    while (!(REGISTER(CLK_SYS_SELECTED) & BIT(1)))
        ;
    REGISTER(CLK_USB_CTRL) = BIT(11);
    REGISTER(WATCHDOG_TICK) = TICK_ENABLE | 12; /* microseconds for watchdog and timer */
}

void board_unreset(uint32_t blocks)
{
    SET(RESETS_RESET) = blocks;
    CLEAR(RESETS_RESET) = blocks;
    while ((REGISTER(RESETS_DONE) & blocks) != blocks)
        ;
}

void start(void)
{
    uint32_t *from = data_kept, *to;

    for (to = data_begin; to < data_end;)
        *to++ = *from++;
    for (to = bss_begin; to < bss_end;)
        *to++ = 0;
    begin_clocks();
    board_unreset(RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_TIMER);
    main();
    stop();
}

/* The compiler calls these by name. */
void *memcpy(void *to, const void *from, __SIZE_TYPE__ count)
{
    uint8_t *target = to;
    const uint8_t *source = from;

    while (count--)
        *target++ = *source++;
    return to;
}

void *memset(void *to, int value, __SIZE_TYPE__ count)
{
    uint8_t *target = to;

    while (count--)
        *target++ = (uint8_t)value;
    return to;
}
