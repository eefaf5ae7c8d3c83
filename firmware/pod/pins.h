/* The pod's pins: made from companion/seats/seat.toml by tools/pinmap.py; change that and run it again. */
#ifndef PINS_H
#define PINS_H

/* BUTTON_1: PD2, D2 on a Nano */
#define BUTTON_1_PORT PORTD
#define BUTTON_1_DDR DDRD
#define BUTTON_1_PIN PIND
#define BUTTON_1_BIT 2

/* BUTTON_2: PD3, D3 on a Nano */
#define BUTTON_2_PORT PORTD
#define BUTTON_2_DDR DDRD
#define BUTTON_2_PIN PIND
#define BUTTON_2_BIT 3

/* BUTTON_3: PD4, D4 on a Nano */
#define BUTTON_3_PORT PORTD
#define BUTTON_3_DDR DDRD
#define BUTTON_3_PIN PIND
#define BUTTON_3_BIT 4

/* BUTTON_4: PD5, D5 on a Nano */
#define BUTTON_4_PORT PORTD
#define BUTTON_4_DDR DDRD
#define BUTTON_4_PIN PIND
#define BUTTON_4_BIT 5

/* BUTTON_5: PD6, D6 on a Nano */
#define BUTTON_5_PORT PORTD
#define BUTTON_5_DDR DDRD
#define BUTTON_5_PIN PIND
#define BUTTON_5_BIT 6

/* BUTTON_6: PD7, D7 on a Nano */
#define BUTTON_6_PORT PORTD
#define BUTTON_6_DDR DDRD
#define BUTTON_6_PIN PIND
#define BUTTON_6_BIT 7

/* LED: PB5, D13 on a Nano */
#define LED_PORT PORTB
#define LED_DDR DDRB
#define LED_PIN PINB
#define LED_BIT 5

/* BUZZER: PB1, D9 on a Nano */
#define BUZZER_PORT PORTB
#define BUZZER_DDR DDRB
#define BUZZER_PIN PINB
#define BUZZER_BIT 1

#define HAS_LED 1
#define HAS_BUZZER 1
#define BUTTONS 6
#define SCREEN_ADDRESS 0x3C

/* All buttons stand on one port: one reading sees them at once. */
#define BUTTONS_PORT PORTD
#define BUTTONS_DDR DDRD
#define BUTTONS_PIN PIND
#define BUTTONS_MASK 0xFC

#endif
