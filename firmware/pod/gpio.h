/* Pins by their names in pins.h: GPIO_HIGH(LED). */
#ifndef POD_GPIO_H
#define POD_GPIO_H

#include <avr/io.h>

#include "pins.h"

#define GPIO_READ(pin) ((pin##_PIN & _BV(pin##_BIT)) != 0)
#define GPIO_HIGH(pin) (pin##_PORT |= _BV(pin##_BIT))
#define GPIO_LOW(pin) (pin##_PORT &= (uint8_t)~_BV(pin##_BIT))
#define GPIO_OUTPUT(pin) (pin##_DDR |= _BV(pin##_BIT))
#define GPIO_INPUT(pin) (pin##_DDR &= (uint8_t)~_BV(pin##_BIT))

/* The chip's own two wires of the bus, which no map can move. */
#define SDA_PORT PORTC
#define SDA_PIN PINC
#define SDA_DDR DDRC
#define SDA_BIT 4
#define SCL_PORT PORTC
#define SCL_PIN PINC
#define SCL_DDR DDRC
#define SCL_BIT 5

#endif
