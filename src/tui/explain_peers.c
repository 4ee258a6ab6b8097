/* Who does it: below the explanation of a bad-packet row, the same class for every
 * storage peer that the capture of the interface saw, the busiest first. */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "packet/peer.h"
#include "tui/explain.h"
#include "tui/tally.h"

#include <string.h>

enum {
	PEERS_SHOWN = PEER_ROWS
};

struct one {
	uint32_t subject;
	size_t track;
	struct tally tally;
};

/* Whether SUBJECT is a peer as INTERFACE sees it: "END@INTERFACE". */
static bool is_seen_at(const struct subject *subject, const char *interface)
{
	const char *at = strrchr(subject->name, '@');

	return subject->kind == KIND_PEER && at && !strcmp(at + 1, interface);
}

/* Most first. */
static void insert(struct one *list, size_t *count, struct one one)
{
	size_t at = *count;

	if (at == PEERS_SHOWN && list[at - 1].tally.count >= one.tally.count)
		return;
	if (at == PEERS_SHOWN)
		at--;
	else
		(*count)++;
	for (; at && list[at - 1].tally.count < one.tally.count; at--)
		list[at] = list[at - 1];
	list[at] = one;
}

static size_t collect(const struct scene *scene, const char *interface, unsigned metric,
	struct one *list)
{
	const struct session *session = scene->session;
	size_t count = 0;

	for (uint32_t i = 0; i < session->subject_count; i++) {
		int track = is_seen_at(&session->subjects[i], interface)
				    ? session_track(session, i, metric)
				    : -1;

		if (track >= 0)
			insert(list, &count,
				(struct one){i, (size_t)track,
					tally_current(scene, (size_t)track)});
	}
	return count;
}

static struct tally tally_of(const struct scene *scene, uint32_t subject,
	const char *class_id, const char *way)
{
	char id[64];
	int track;

	if (!text_format(id, sizeof id, "peer.packets.%s%s%s", class_id,
		    *way ? "." : "", way))
		return (struct tally){0};
	track = scene_find(scene, subject, id);
	return track < 0 ? (struct tally){0} : tally_current(scene, (size_t)track);
}

/* ", judged N of M" where the class is a sum. */
static void add_judged(const struct scene *scene, uint32_t subject, unsigned class,
	const char *way, char *to, size_t size)
{
	static const char *const answers[] = {"", ".good", ".offloaded", ".unjudged"};
	double counts[4], judged;
	char id[64], some[16], all[16];

	if (packet_classes[class].group != GROUP_CHECKSUM)
		return;
	for (size_t i = 0; i < 4; i++) {
		(void)text_format(
			id, sizeof id, "%s%s", packet_classes[class].id, answers[i]);
		counts[i] = tally_of(scene, subject, id, way).count;
	}
	judged = counts[0] + counts[1];
	unit_number(some, sizeof some, judged, 5);
	unit_number(all, sizeof all, judged + counts[2] + counts[3], 5);
	(void)text_format(to, size, ", judged %s of %s", some, all);
}

static void add_window(const struct scene *scene, const struct window *window,
	size_t track, char *to, size_t size)
{
	struct tally tally = tally_window(scene, window, track);
	char text[32];

	if (!window)
		return;
	if (tally.known)
		tally_text(&tally, text, sizeof text);
	else /* it was not there to be seen: nothing to compare with */
		(void)text_format(text, sizeof text, "no %s", role_word(window->role));
	(void)text_format(to, size, ", %s %s", role_word(window->role), text);
}

static void say_one(const struct scene *scene, const struct one *one, unsigned class,
	unsigned direction, struct explain_lines *lines)
{
	const char *way = packet_direction_word((enum packet_direction)direction);
	const char *name = scene->session->subjects[one->subject].name;
	int of = scene_find(scene, one->subject, "peer.segments");
	struct tally segments =
		of < 0 ? (struct tally){0} : tally_current(scene, (size_t)of);
	char judged[64] = "", million[48] = "", before[48] = "", after[48] = "";
	char number[16], line[320];

	if (one->tally.known && segments.known && segments.count >= 1) {
		unit_number(number, sizeof number,
			one->tally.count / segments.count * 1e6, 6);
		(void)text_format(
			million, sizeof million, ", %s per 1M segments", number);
	}
	add_judged(scene, one->subject, class, way, judged, sizeof judged);
	add_window(scene, scene->a, one->track, before, sizeof before);
	add_window(scene, scene->b, one->track, after, sizeof after);
	unit_number(number, sizeof number, one->tally.count, 6);
	(void)text_format(line, sizeof line, "%.*s: %s%s%s%s%s",
		(int)strcspn(name, "@"), name, one->tally.known ? number : "?", million,
		judged, before, after); /* its beginning will do */
	lines->put(lines, line);
}

void explain_peers(const struct scene *scene, size_t track, struct explain_lines *lines)
{
	const struct track *row = &scene->session->tracks[track];
	const struct subject *nic = &scene->session->subjects[row->subject];
	struct one list[PEERS_SHOWN];
	unsigned direction;
	int class = metric_packet_class(row->metric, &direction);
	size_t count;

	if (class < 0)
		return;
	count = collect(scene, nic->name,
		metric_of_class(KIND_PEER, (unsigned)class, direction), list);
	if (count)
		lines->put(lines, scene->current ? "by storage peer, in this window:"
						 : "by storage peer, last 10m:");
	for (size_t i = 0; i < count; i++)
		say_one(scene, &list[i], (unsigned)class, direction, lines);
}
