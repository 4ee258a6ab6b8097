/*
 * TCP sockets that came to their end: the kernel tells their last figures to whoever
 * listens (group "destroyed" of NETLINK_SOCK_DIAG), without a privilege. What a
 * connection did since it was last looked at is known only here. Sockets that the
 * kernel made for itself are not told.
 */
#ifndef WEIR_SOURCE_ENDED_H
#define WEIR_SOURCE_ENDED_H

#include "source/ports.h"
#include "source/sockdiag.h"

/* From now on. A descriptor, or -1: this kernel does not tell. Other ports than PORTS
 * are left out by the kernel. */
int ended_open(const struct ports *ports);

/* Calls TAKE for each socket that ended since the last call. Never waits. What there
 * was no room for is not told. */
void ended_read(
	int fd, void (*take)(void *, const struct diag_socket *), void *context);

#endif
