/* The pod's lines on a Pico: {{ made }}. */
#ifndef PICO_PINS_H
#define PICO_PINS_H

#define PICO_BUTTONS {{ "{" }}{{ pins.pico.buttons | join(", ") | replace("GP", "") }}}
#define PICO_LED {{ pins.pico.led[2:] }}
#define PICO_BUZZER {{ pins.pico.buzzer[2:] }}
#define PICO_SDA {{ pins.pico.sda[2:] }}
#define PICO_SCL {{ pins.pico.scl[2:] }}
#define PICO_VENDOR {{ "0x%04X" | format(pins.pico.usb.vendor) }}
#define PICO_PRODUCT {{ "0x%04X" | format(pins.pico.usb.product) }}
#define PICO_NAME "{{ pins.pico.usb.name }}"

#endif
