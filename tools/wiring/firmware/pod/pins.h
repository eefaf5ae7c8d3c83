/* The pod's pins: {{ made }}. */
#ifndef PINS_H
#define PINS_H

{% for what, pin in pod if not what.startswith("screen") %}
{% set name = what | upper | replace(" ", "_") %}
/* {{ name }}: {{ pin }}, {{ nano[pin] }} on a Nano */
#define {{ name }}_PORT PORT{{ pin[1] }}
#define {{ name }}_DDR DDR{{ pin[1] }}
#define {{ name }}_PIN PIN{{ pin[1] }}
#define {{ name }}_BIT {{ pin[2] }}

{% endfor %}
#define HAS_LED {{ (pins.pod.led is defined) | int }}
#define HAS_BUZZER {{ (pins.pod.buzzer is defined) | int }}
#define BUTTONS {{ pins.pod.buttons | length }}
#define SCREEN_ADDRESS {{ pins.pod.screen.address | hex }}
{% set ports = pins.pod.buttons | map(attribute=1) | unique | list %}
{% if ports | length == 1 %}

/* All buttons stand on one port: one reading sees them at once. */
#define BUTTONS_PORT PORT{{ ports[0] }}
#define BUTTONS_DDR DDR{{ ports[0] }}
#define BUTTONS_PIN PIN{{ ports[0] }}
#define BUTTONS_MASK {{ bits(pins.pod.buttons) | hex }}
{% endif %}

#endif
