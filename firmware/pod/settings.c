#include "settings.h"

#include <avr/eeprom.h>

#include "wire.h"

#define POD_AT ((uint8_t *)1) /* byte 0 is the one that a brown-out spoils */
#define CONTROLLER_AT ((uint8_t *)2)
#define HIGHEST_POD 99

uint8_t settings_pod(void)
{
    uint8_t pod = eeprom_read_byte(POD_AT);

    return pod <= HIGHEST_POD ? pod : 0;
}

uint8_t settings_controller(void)
{
    return eeprom_read_byte(CONTROLLER_AT) == CONTROLLER_SH1106 ? CONTROLLER_SH1106
                                                                : CONTROLLER_SSD1306;
}

void settings_keep(uint8_t pod, uint8_t controller)
{
    eeprom_update_byte(POD_AT, pod);
    eeprom_update_byte(CONTROLLER_AT, controller);
}
