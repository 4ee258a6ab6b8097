/* For tests: the source of facts on interfaces, with drivers of their own. */
#ifndef WEIR_SOURCE_CONFIG_NET_H
#define WEIR_SOURCE_CONFIG_NET_H

#include "source/ethtool.h"

/* TOOL is copied and closed at the end. Nothing is heard of link events. */
bool config_net_open_with(void **state, const struct source_env *env,
	const struct ethtool *tool, struct fault *fault);

#endif
