/* The RP2040's registers that the pod uses; names and numbers as in its data sheet. */
#ifndef PICO_REGISTERS_H
#define PICO_REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
/* Every register of a peripheral again, where a 1 sets or clears its bit. */
#define SET(address) REGISTER((address) + 0x2000)
#define CLEAR(address) REGISTER((address) + 0x3000)
#define BIT(number) (1UL << (number))

#define RESETS_RESET 0x4000C000
#define RESETS_DONE 0x4000C008
#define RESET_I2C0 BIT(3)
#define RESET_IO_BANK0 BIT(5)
#define RESET_PADS_BANK0 BIT(8)
#define RESET_PLL_USB BIT(13)
#define RESET_TIMER BIT(21)
#define RESET_USBCTRL BIT(24)

#define XOSC_CTRL 0x40024000
#define XOSC_STATUS 0x40024004
#define XOSC_STARTUP 0x4002400C

#define PLL_USB_CS 0x4002C000
#define PLL_USB_PWR 0x4002C004
#define PLL_USB_FBDIV 0x4002C008
#define PLL_USB_PRIM 0x4002C00C

#define CLK_REF_CTRL 0x40008030
#define CLK_REF_SELECTED 0x40008038
#define CLK_SYS_CTRL 0x4000803C
#define CLK_SYS_SELECTED 0x40008044
#define CLK_USB_CTRL 0x40008054

#define WATCHDOG_CTRL 0x40058000
#define WATCHDOG_LOAD 0x40058004
#define WATCHDOG_TICK 0x4005802C
#define PSM_WDSEL 0x40010008

#define TIMER_ALARM0 0x40054010
#define TIMER_RAW_LOW 0x40054028
#define TIMER_INTR 0x40054034
#define TIMER_INTE 0x40054038

#define GPIO_CTRL(pin) (0x40014004 + 8 * (pin))
#define GPIO_PAD(pin) (0x4001C004 + 4 * (pin))
#define FUNCTION_I2C 3
#define FUNCTION_SIO 5
#define PAD_INPUT BIT(6)
#define PAD_DRIVE_12MA (3UL << 4)
#define PAD_PULL_UP BIT(3)
#define PAD_SCHMITT BIT(1)
#define SIO_IN 0xD0000004
#define SIO_OUT_SET 0xD0000014
#define SIO_OUT_CLEAR 0xD0000018
#define SIO_OE_SET 0xD0000024
#define SIO_OE_CLEAR 0xD0000028

#define I2C(offset) (0x40044000 + (offset)) /* I2C0 */

#define USB(offset) (0x50110000 + (offset))
#define USB_RAM 0x50100000

#define IRQ_ENABLE 0xE000E100
#define IRQ_TIMER_0 0
#define IRQ_USB 5

#endif
