/*
 * The hand-written rows of the metric table, one array for each kind. Only
 * metric.c reads them; everybody else goes through core/metric.h.
 */
#ifndef WEIR_CORE_METRIC_ROWS_H
#define WEIR_CORE_METRIC_ROWS_H

#include "core/metric.h"

struct metric_rows {
	const struct metric *rows;
	unsigned count;
};

extern const struct metric_rows metric_rows_disk;
extern const struct metric_rows metric_rows_nic;
extern const struct metric_rows metric_rows_host;
extern const struct metric_rows metric_rows_peer;
extern const struct metric_rows metric_rows_mount;
extern const struct metric_rows metric_rows_detail;
extern const struct metric_rows metric_rows_transport;

#endif
