/* Every source of readings; the order of sources[] is the order of the stamps. */
#ifndef WEIR_SOURCE_TABLE_H
#define WEIR_SOURCE_TABLE_H

#include "source/source.h"

extern const struct source source_config_disk, source_config_host,
	source_config_transport, source_config_net, source_cpu, source_fc, source_host,
	source_inflight, source_iscsi, source_mounts, source_netsysfs, source_nichw,
	source_packets, source_peers, source_shares, source_snmp, source_statgrab;

#endif
