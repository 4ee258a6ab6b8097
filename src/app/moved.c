/* Bytes moved in a window; see the header. */
#include "config.h"

#include "app/moved.h"

#include "app/client.h"
#include "base/clock.h"
#include "core/unit.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const nsec patience = 5 * NSEC_PER_SEC;

bool moved_sum(const struct session *session, uint32_t window, const char *metric,
	struct moved *moved)
{
	/* what the recorder's memory does not hold any more is in no summary */
	struct coverage coverage = session_coverage(session, window);
	int number = metric_find(metric);
	bool known = false;

	*moved = (struct moved){.whole = coverage.seen >= coverage.expected};

	for (size_t i = 0; i < session->track_count; i++) {
		const struct track *track = &session->tracks[i];
		const struct summary *summary;

		if (track->metric != number ||
			session->subjects[track->subject].flags & SUBJECT_STACKED)
			continue;
		summary = session_summary(session, window, i);
		if (!summary)
			continue;
		known = true;
		moved->sum += summary->num;
		for (unsigned why = 0; why < WHY_COUNT; why++)
			moved->whole &= why == WHY_NONE || why == WHY_ABSENT ||
					!summary->missing[why];
	}
	return known;
}

/* Until the session has the tick that ended the window. */
static bool receive(struct client *client, const struct session *session, uint32_t id,
	struct fault *fault)
{
	nsec deadline = clock_mono() + patience;

	for (;;) {
		struct pollfd wait = {.fd = client_fd(client), .events = POLLIN};
		enum client_event event = client_next(client, fault);
		const struct window *window = windows_by_id(&session->windows, id);
		nsec left = deadline - clock_mono();

		if (event == CLIENT_GONE)
			return false;
		if (window && session->ticks && session->last.at >= window->to)
			return true;
		if (left <= 0)
			return fault_set(fault, "the recorder does not answer");
		if (event == CLIENT_NOTHING) /* cut short is fine: it is asked again */
			(void)poll(&wait, 1, (int)(left / NSEC_PER_MSEC) + 1);
	}
}

static void print_bytes(const struct session *session, uint32_t id, const char *title,
	const char *metric)
{
	struct moved moved;
	char text[32];

	if (!moved_sum(session, id, metric, &moved)) {
		(void)fprintf(stderr, "  %-14s ? (none was watched)\n", title);
		return;
	}
	unit_number(text, sizeof text, moved.sum, 6);
	/* standard error is all there is to tell on */
	(void)fprintf(stderr, "  %-14s %sB%s\n", title, text,
		moved.whole ? "" : " at least (part of it was not seen)");
}

/* "0.025 s", and of a minute and more also "2m05s". */
static void print_length(const struct window *window)
{
	nsec taken = window->to - window->from;
	char length[32];

	(void)fprintf(stderr, "weir: %s: %.3f s", window->name,
		(double)taken / (double)NSEC_PER_SEC);
	unit_duration(length, sizeof length, taken);
	if (taken >= 60 * NSEC_PER_SEC)
		(void)fprintf(stderr, " (%s)", length);
}

static void print(const struct session *session, const struct window *window)
{
	print_length(window);
	(void)fprintf(stderr, ", exit status %d", window->exit_status);
	if (window->exit_status > 128 && window->exit_status < 128 + NSIG)
		(void)fprintf(stderr, " (as of signal %d, %s)",
			window->exit_status - 128,
			strsignal(window->exit_status - 128));
	(void)fputc('\n', stderr);
	print_bytes(session, window->id, "disks read", "disk.read.bytes");
	print_bytes(session, window->id, "disks written", "disk.write.bytes");
	print_bytes(session, window->id, "received", "net.rx.bytes");
	print_bytes(session, window->id, "sent", "net.tx.bytes");
}

bool moved_print(const struct place *place, uint32_t id, struct fault *fault)
{
	struct client *client = client_connect(place->socket, place->owner, fault);
	struct session *session;
	bool good;

	if (!client)
		return false;
	session = session_new(place->name, 0);
	/* all that the recorder holds: the window may be older than the last hour */
	good = client_watch(client, session, INT64_MIN, fault) &&
	       receive(client, session, id, fault);
	if (good)
		print(session, windows_by_id(&session->windows, id));
	session_free(session);
	client_free(client);
	return good;
}
