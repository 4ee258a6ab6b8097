/* The sources, in the order of their stamps. A new one is a file and a row. */
#include "config.h"

#include "source/diskstats.h"
#include "source/table.h"

#include <stddef.h>

const struct source *const sources[] = {
	&source_diskstats,
	&source_inflight,
	&source_netsysfs,
	&source_nichw,
	&source_statgrab,
	&source_snmp,
	&source_cpu,
	&source_host,
	&source_packets,
	&source_peers,
	&source_mounts,
	&source_shares,
	&source_iscsi,
	&source_fc,
	&source_config_net,
	&source_config_disk,
	&source_config_host,
	&source_config_transport,
	NULL,
};
