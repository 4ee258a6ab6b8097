/* Whether anything happened to the links of this network namespace. */
#ifndef WEIR_SOURCE_LINKWATCH_H
#define WEIR_SOURCE_LINKWATCH_H

#include <stdbool.h>

/* A descriptor, or -1 where the kernel tells nobody. */
int linkwatch_open(void);
void linkwatch_close(int fd);

/* Whether something happened since the last call. */
bool linkwatch_heard(int fd);

#endif
