/*
 * The hand-written rows of the metric table, one array for each kind. Only
 * metric.c reads them; everybody else goes through core/metric.h.
 */
#ifndef WEIR_CORE_METRIC_ROWS_H
#define WEIR_CORE_METRIC_ROWS_H

#include "core/metric.h"
#include "packet/peer.h"

struct metric_rows {
	const struct metric *rows;
	unsigned count;
};

/* Rows that are made, not written (metric_made.c). */
enum {
	RESPONSE_PER_KIND = 2 + RESPONSE_EDGES, /* count, mean, shares */
	RESPONSE_METRICS = RESPONSE_KINDS * RESPONSE_PER_KIND,
};
struct metric metric_made_packet(bool peer, unsigned packet_class, unsigned direction);
struct metric metric_made_response(unsigned index);

extern const struct metric_rows metric_rows_disk;
extern const struct metric_rows metric_rows_nic;
extern const struct metric_rows metric_rows_host;
extern const struct metric_rows metric_rows_peer;
extern const struct metric_rows metric_rows_mount;
extern const struct metric_rows metric_rows_detail;
extern const struct metric_rows metric_rows_transport;

#endif
