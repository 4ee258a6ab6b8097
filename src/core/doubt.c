/* Verdicts that the capture itself makes doubtful; see the header. */
#include "config.h"

#include "core/doubt.h"

#include <string.h>

static const double tolerable = 0.1;
static const char tcp[] = "packets.tcp.";

static double lost_in(
	const struct session *session, const struct window *window, size_t track)
{
	const struct summary *summary = session_summary(session, window->id, track);

	return summary ? summary->num : 0;
}

void doubt_capture(struct verdict *verdict, const struct session *session,
	const struct window *const windows[2], const struct track *track)
{
	int lost = session_track(
		session, track->subject, (unsigned)metric_find("capture.lost"));
	double frames = 0;

	if (!verdict->tested || lost < 0 ||
		strncmp(metric_at(track->metric)->id, tcp, sizeof tcp - 1) != 0)
		return;
	for (size_t i = 0; i < 2; i++)
		frames += lost_in(session, windows[i], (size_t)lost);
	if (frames <= tolerable * (verdict->k1 + verdict->k2))
		return;
	verdict->tested = false;
	verdict->word = VERDICT_TOO_LITTLE;
	verdict->lacks = "a capture that saw all frames";
	verdict->more = 0;
}
