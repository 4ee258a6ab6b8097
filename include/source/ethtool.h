/*
 * What the driver of an interface says about its set-up: the one file that asks it
 * (SIOCETHTOOL). Nothing here needs a privilege, nothing changes anything.
 */
#ifndef WEIR_SOURCE_ETHTOOL_H
#define WEIR_SOURCE_ETHTOOL_H

#include "core/why.h"
#include "source/source.h"

/* Sends REQUEST, which begins with its command, for interface NAME and fills it with
 * the answer. Returns 0, or the errno of what went wrong. */
struct ethtool;
typedef int ethtool_call(const struct ethtool *tool, const char *name, void *request);

struct ethtool {
	ethtool_call *call; /* the kernel's, or one of a test */
	int fd;
};

/* Asks the kernel of this network namespace. */
bool ethtool_open(struct ethtool *tool, struct fault *fault);
void ethtool_close(struct ethtool *tool);

/* Error correction, and how packets are spread over the queues. */
void ethtool_link_facts(const struct ethtool *tool, const char *name, struct sink *sink,
	const struct subject *subject);
/* The reason that an errno of CALL stands for. */
enum why ethtool_why(int error);

/* Driver, offload flags, rings, channels, coalescing, pause: each a fact of SUBJECT. */
void ethtool_facts(const struct ethtool *tool, const char *name, struct sink *sink,
	const struct subject *subject);

#endif
