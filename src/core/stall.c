/* Stalls of disks in words, and the one that a moment belongs to. */
#include "config.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"
#include "core/backlog.h"
#include "core/session_queue.h"
#include "core/unit.h"

#include <math.h>
#include <string.h>

const char *stall_word(enum stall_kind kind)
{
	static const char *const words[] = {"STALL", "BLOCKED", "OFFLINE"};

	return words[kind];
}

static void add_limit(const struct stall *stall, char *to, size_t size)
{
	size_t used = strlen(to);

	if (stall->kind == STALL_OFFLINE)
		return;
	/* cut at its room */
	if (isinf(stall->limit))
		(void)text_format(to + used, size - used, ", never gives up");
	else if (stall->limit >= 0)
		(void)text_format(
			to + used, size - used, ", gives up at %.0f s", stall->limit);
}

void stall_reason(const struct stall *stall, nsec at, char *to, size_t size)
{
	static const struct {
		const char *blocked, *offline;
	} words[HOLD_COUNT] = {
		[HOLD_DEVICE] = {"by the kernel", "given up by the kernel"},
		[HOLD_SESSION] = {"session FAILED", "session given up"},
		[HOLD_PORT] = {"remote port lost", "remote port given up"},
		[HOLD_CONTROLLER] = {"controller reconnects", "controller given up"},
		[HOLD_PATHS] = {"no usable path", "no usable path"},
		[HOLD_SUSPENDED] = {"map suspended", "map suspended"},
	};
	char age[24];

	to[0] = 0;
	if (stall->hold < 0)
		return;
	(void)text_copy(to, size,
		stall->kind == STALL_OFFLINE ? words[stall->hold].offline
					     : words[stall->hold].blocked);
	if (stall->held > stall->from && at > stall->held) {
		size_t used = strlen(to);

		unit_duration(age, sizeof age, at - stall->held);
		(void)text_format(to + used, size - used, " for %s", age);
	}
	add_limit(stall, to, size);
}

/* Events that follow from the ticks are made anew with them, and never stored. */
void stall_note(struct session *session, const struct stall *stall)
{
	const struct subject *of = &session->subjects[stall->subject];
	bool ended = stall->to != WINDOW_OPEN;
	struct note note = {.kind = NOTE_EVENT, .at = ended ? stall->to : stall->from};
	char depth[24], length[24] = "", reason[96];

	if (stall->part)
		return;
	if (!ended && stall->kind == STALL_SILENT)
		note.at += stall->after;
	else if (!ended && stall->hold >= 0)
		note.at = stall->held;
	stall_reason(stall, note.at, reason, sizeof reason);
	if (ended)
		unit_duration(length, sizeof length, stall->to - stall->from);
	if (stall->depth > 0)
		(void)text_format(depth, sizeof depth, "%.0f", stall->depth);
	else
		(void)text_copy(depth, sizeof depth, "unknown");
	/* cut at its room */
	(void)text_format(note.text, sizeof note.text,
		"%s%s%s%s: %s%s%s%s%s, outstanding %s%s", of->name,
		*of->label ? " (" : "", of->label, *of->label ? ")" : "",
		stall_word(stall->kind), ended ? " ended after " : "", length,
		*reason ? ", " : "", reason, ended ? "up to " : "", depth);
	session_note(session, &note);
}

/* The threshold that was in force at AT, by the fact that says so. */
static nsec threshold_at(const struct session *session, nsec at)
{
	const struct fact of = {.kind = KIND_HOST,
		.name = "host",
		.id = "host",
		.key = FACT_STALL,
		.value = ""};
	struct fact fact = facts_at(&session->facts, &of, at);
	const char *text = fact.value;
	double seconds;

	return scan_real(&text, &seconds) && seconds > 0 &&
			       seconds <= (double)(BACKLOG_STALL_MOST / NSEC_PER_SEC)
		       ? (nsec)(seconds * NSEC_PER_SEC)
		       : BACKLOG_STALL;
}

void session_tell_stall(struct session *session, const struct stall *stall)
{
	struct stall told = *stall;

	if (!told.after)
		told.after = threshold_at(session, told.from);
	xgrow(&session->stalls, &session->stall_room, session->stall_count + 1,
		sizeof *session->stalls);
	session->stalls[session->stall_count++] = told;
	told.to = WINDOW_OPEN;
	stall_note(session, &told);
	told.to = stall->to;
	if (stall->to != WINDOW_OPEN)
		stall_note(session, &told);
}

static nsec noticed(const struct stall *stall)
{
	return stall->kind == STALL_SILENT ? stall->from + stall->after : stall->from;
}

const struct stall *session_stall(
	const struct session *session, uint32_t subject, nsec at)
{
	for (size_t i = session->stall_count; i--;) {
		const struct stall *stall = &session->stalls[i];

		if (stall->subject == subject && noticed(stall) <= at)
			return at < stall->to ? stall : NULL;
	}
	return NULL;
}
