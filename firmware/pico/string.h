/* What the shared modules take of string.h: a compiler for bare metal may come without a library. */
#ifndef STRING_H
#define STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);

#endif
