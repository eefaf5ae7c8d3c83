#include "signs.h"

#include "gpio.h"

void signs_begin(void)
{
    signs_lamp(false);
    signs_buzzer(false);
#if HAS_LED
    GPIO_OUTPUT(LED);
#endif
#if HAS_BUZZER
    GPIO_OUTPUT(BUZZER);
#endif
}

void signs_lamp(bool on)
{
#if HAS_LED
    if (on)
        GPIO_HIGH(LED);
    else
        GPIO_LOW(LED);
#else
    (void)on;
#endif
}

void signs_buzzer(bool on)
{
#if HAS_BUZZER
    if (on)
        GPIO_HIGH(BUZZER);
    else
        GPIO_LOW(BUZZER);
#else
    (void)on;
#endif
}
