/* The conversation with the table: what firmware/pod/wire.toml describes, the pod's side. */
#ifndef POD_LINK_H
#define POD_LINK_H

#include <stdint.h>

/* Acts on all that has been received. */
void link_poll(uint32_t now_ms);

/* A press to be sent until the table has noted it. Outside a session it means nothing. */
void link_press(uint8_t button, uint16_t held_ms, uint16_t picture);

/* The number of the picture that is shown, as the table gave it; 0: none. */
uint16_t link_picture(void);

/* Says hello, asked or not. */
void link_hello(void);

#endif
