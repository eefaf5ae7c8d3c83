#include "../pod/watchdog.h"

#include "registers.h"

#define BITE_MS 500
#define ALL_BUT_OSCILLATORS 0x1FFFC

/* The counter goes down by two each microsecond (errata RP2040-E1). */
#define LOAD (BITE_MS * 1000UL * 2)

void watchdog_begin(void)
{
    CLEAR(WATCHDOG_CTRL) = BIT(30);
    REGISTER(PSM_WDSEL) = ALL_BUT_OSCILLATORS;
    REGISTER(WATCHDOG_LOAD) = LOAD;
    SET(WATCHDOG_CTRL) = BIT(30);
}

void watchdog_feed(void)
{
    REGISTER(WATCHDOG_LOAD) = LOAD;
}
