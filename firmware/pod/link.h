/* The conversation with the table: what plugins/pods/race_companion_pods/wire.toml describes, the pod's side. */
#ifndef POD_LINK_H
#define POD_LINK_H

#include <stdint.h>

/* Acts on all that has been received. */
void link_poll(uint32_t now_ms);

/* Says hello, asked or not. */
void link_hello(void);

#endif
