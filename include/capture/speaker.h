/*
 * Saying the reports of packet/wire.h on standard output, on the beat, and never
 * waiting for a reader: what does not fit into the pipe now is said later.
 */
#ifndef WEIR_CAPTURE_SPEAKER_H
#define WEIR_CAPTURE_SPEAKER_H

#include "base/nsec.h"
#include "packet/wire_peer.h"

#include <stdbool.h>

struct speaker {
	struct wire_hello hello;
	struct tally sent;
	struct peer_table peers_sent;
	uint64_t frames_said; /* of the last report that was complete */
	nsec said;            /* beat of the last report */
	nsec repeated;        /* beat of the last full one */
	bool deaf;            /* nobody reads any more */
};

/* When the next report is due; NOW and the result are monotonic. */
nsec speaker_due(const struct speaker *speaker, const struct tally *tally, nsec now);

/* Says REPORT, whose time is set to the beat that NOW lies in. */
void speaker_report(struct speaker *speaker, struct wire_report *report,
	const struct engine *engine, nsec now);

/* The last line. */
void speaker_bye(enum wire_status status, const char *reason);

#endif
