/* The pod's number and its screen's controller, in the last sector of the flash. While that chip is
 * spoken to directly nothing can be read from it, so what does so runs in RAM, uninterrupted. */
#include "../pod/settings.h"

#include "../pod/wire.h"
#include "board.h"
#include "registers.h"

#define SSI(offset) REGISTER(0x18000000 + (offset))
#define SSI_CTRLR0 0x00
#define SSI_CTRLR1 0x04
#define SSI_SSIENR 0x08
#define SSI_SER 0x10
#define SSI_BAUDR 0x14
#define SSI_SR 0x28
#define SSI_DR0 0x60
#define SSI_SPI_CTRLR0 0xF4
#define RECEIVED BIT(3)
#define CHIP_SELECT 0x4001800C /* GPIO_QSPI_SS_CTRL */
#define SELECT_FREE 0
#define SELECT_LOW (2UL << 8)
#define SELECT_HIGH (3UL << 8)
#define CACHE_FLUSH 0x14000004
#define FLASH 0x10000000

enum { PROGRAM = 0x02, STATUS = 0x05, WRITE_ENABLE = 0x06, ERASE = 0x20, UNIQUE = 0x4B };
#define BUSY 1
#define MARK 0x50 /* 'P': the sector has been written */
#define HIGHEST_POD 99

#define IN_RAM __attribute__((section(".in_ram"), noinline))

extern uint8_t settings_at[]; /* its address is the place in the flash */

static uint8_t unique[UNIQUE_BYTES];

/* Sends so many bytes and puts what comes meanwhile into their places. */
IN_RAM static void exchange(uint8_t *bytes, uint32_t count)
{
    uint32_t i;

    REGISTER(CHIP_SELECT) = SELECT_LOW;
    for (i = 0; i < count; i++) {
        SSI(SSI_DR0) = bytes[i];
        while (!(SSI(SSI_SR) & RECEIVED))
            ;
        bytes[i] = (uint8_t)SSI(SSI_DR0);
    }
    REGISTER(CHIP_SELECT) = SELECT_HIGH;
}

IN_RAM static void change(uint8_t *bytes, uint32_t count)
{
    uint8_t enable = WRITE_ENABLE, status[2];

    exchange(&enable, 1);
    exchange(bytes, count);
    do {
        status[0] = STATUS;
        exchange(status, sizeof status);
    } while (status[1] & BUSY);
}

/* A first command that changes nothing and answers, or two that change. */
IN_RAM static void speak(uint8_t *ask, uint32_t asked, uint8_t *erase, uint32_t erased,
                         uint8_t *write, uint32_t written)
{
    __asm__ volatile("cpsid i" ::: "memory");
    SSI(SSI_SSIENR) = 0;
    SSI(SSI_CTRLR0) = 7UL << 16; /* bytes, both ways */
    SSI(SSI_BAUDR) = 6;
    SSI(SSI_SER) = 1;
    SSI(SSI_SSIENR) = 1;
    REGISTER(CHIP_SELECT) = SELECT_HIGH;
    if (asked)
        exchange(ask, asked);
    if (erased)
        change(erase, erased);
    if (written)
        change(write, written);
    SSI(SSI_SSIENR) = 0; /* as boot2.S has it */
    SSI(SSI_BAUDR) = 4;
    SSI(SSI_CTRLR0) = 3UL << 8 | 31UL << 16;
    SSI(SSI_CTRLR1) = 0;
    SSI(SSI_SPI_CTRLR0) = 0x03UL << 24 | 2UL << 8 | 6UL << 2;
    SSI(SSI_SSIENR) = 1;
    REGISTER(CHIP_SELECT) = SELECT_FREE;
    REGISTER(CACHE_FLUSH) = 1;
    (void)REGISTER(CACHE_FLUSH); /* waits until it is flushed */
    __asm__ volatile("cpsie i" ::: "memory");
}

void settings_begin(void)
{
    uint8_t ask[5 + UNIQUE_BYTES] = {UNIQUE};
    uint8_t i;

    speak(ask, sizeof ask, 0, 0, 0, 0);
    for (i = 0; i < UNIQUE_BYTES; i++)
        unique[i] = ask[5 + i];
}

const uint8_t *settings_unique(void)
{
    return unique;
}

static uint8_t kept(uint8_t at, uint8_t otherwise)
{
    const volatile uint8_t *sector = (const uint8_t *)(FLASH + (uint32_t)settings_at);

    return sector[0] == MARK ? sector[at] : otherwise;
}

uint8_t settings_pod(void)
{
    uint8_t pod = kept(1, 0);

    return pod <= HIGHEST_POD ? pod : 0;
}

uint8_t settings_controller(void)
{
    return kept(2, CONTROLLER_SSD1306) == CONTROLLER_SH1106 ? CONTROLLER_SH1106 : CONTROLLER_SSD1306;
}

void settings_keep(uint8_t pod, uint8_t controller)
{
    uint32_t at = (uint32_t)settings_at;
    uint8_t high = (uint8_t)(at >> 16), middle = (uint8_t)(at >> 8), low = (uint8_t)at;
    uint8_t erase[] = {ERASE, high, middle, low};
    uint8_t write[] = {PROGRAM, high, middle, low, MARK, pod, controller};

    if (pod != settings_pod() || controller != settings_controller())
        speak(0, 0, erase, sizeof erase, write, sizeof write);
}
