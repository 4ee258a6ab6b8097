/* Verdicts that the capture itself makes doubtful; see the header. */
#include "config.h"

#include "core/doubt.h"

#include <string.h>

static const double tolerable = 0.1;
static const char tcp[] = "packets.tcp.";

static double lost_in(
	const struct session *session, const struct side *side, size_t track)
{
	double sum = 0;

	for (size_t i = 0; i < side->count; i++) {
		const struct summary *summary =
			session_summary(session, side->ids[i], track);

		sum += summary ? summary->num : 0;
	}
	return sum;
}

void doubt_capture(struct verdict *verdict, const struct session *session,
	const struct side sides[2], const struct track *track)
{
	int lost = session_track(
		session, track->subject, (unsigned)metric_find("capture.lost"));
	double frames = 0;

	if (!verdict->tested || lost < 0 ||
		strncmp(metric_at(track->metric)->id, tcp, sizeof tcp - 1) != 0)
		return;
	for (size_t i = 0; i < 2; i++)
		frames += lost_in(session, &sides[i], (size_t)lost);
	if (frames <= tolerable * (verdict->k1 + verdict->k2))
		return;
	verdict->tested = false;
	verdict->word = VERDICT_TOO_LITTLE;
	verdict->lacks = "a capture that saw all frames";
	verdict->more = 0;
}
