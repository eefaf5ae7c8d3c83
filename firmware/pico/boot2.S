/* The second stage of booting: the chip's own loader copies the first 256 bytes of the flash into
 * RAM, checks their sum (tools/uf2.py writes it) and runs them. Sets the flash's interface to plain
 * reads (command 03h, which every flash chip knows), then starts the program behind.
 * RP2040 data sheet, 2.8.1 and 4.10. */
.syntax unified
.cpu cortex-m0plus
.thumb
.section .boot2, "ax"
.global boot2
boot2:
    ldr r3, =0x18000000         /* XIP_SSI_BASE */
    movs r1, #0
    str r1, [r3, #0x08]         /* SSIENR: off while it is set up */
    movs r1, #4
    str r1, [r3, #0x14]         /* BAUDR: 12 MHz of 48 */
    ldr r1, =(3 << 8) | (31 << 16)
    str r1, [r3, #0x00]         /* CTRLR0: reads of 32 bits, each begun with command and address */
    movs r1, #0
    str r1, [r3, #0x04]         /* CTRLR1: one word a read */
    ldr r1, =(0x03 << 24) | (2 << 8) | (6 << 2)
    movs r2, #0xf4
    str r1, [r3, r2]            /* SPI_CTRLR0: command of 8 bits, address of 24 */
    movs r1, #1
    str r1, [r3, #0x08]         /* on */
    ldr r0, =0x10000100
    ldr r1, =0xe000ed08         /* VTOR */
    str r0, [r1]
    ldmia r0, {r0, r1}
    msr msp, r0
    bx r1
.ltorg
