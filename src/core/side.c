/* The windows on one side of a comparison; see the header. */
#include "config.h"

#include "core/side.h"

#include "core/session.h"
#include "core/verdict.h"

#include <string.h>
#include <strings.h>

struct side side_alone(uint32_t id)
{
	return (struct side){.ids = {id}, .count = 1};
}

static void add(struct side *side, uint32_t id)
{
	if (side->count == SIDE_MOST) {
		memmove(side->ids, side->ids + 1, (SIDE_MOST - 1) * sizeof *side->ids);
		side->count--;
		side->beyond++;
	}
	side->ids[side->count++] = id;
}

static void add_run(struct side *side, const struct window *run)
{
	if (run->to == WINDOW_OPEN)
		side->open++;
	else if (run->exit_status != 0)
		side->failed++;
	else
		add(side, run->id);
}

struct side side_runs_in(
	const struct session *session, const char *name, nsec from, nsec to)
{
	struct side side = {.count = 0};

	for (size_t i = 0; i < session->windows.count; i++) {
		const struct window *run = &session->windows.list[i];

		if (run->role == ROLE_RUN && !strcasecmp(run->name, name) &&
			run->from >= from && (run->to <= to || run->from < to))
			add_run(&side, run);
	}
	return side;
}

struct side side_runs(const struct session *session, uint32_t id)
{
	const struct window *run = windows_by_id(&session->windows, id);

	return run ? side_runs_in(session, run->name, INT64_MIN, WINDOW_OPEN)
		   : side_alone(id);
}

/* Also before the session's ticks were read; those that were may end a tick before the
 * window does. */
static bool is_brief(const struct session *session, const struct window *window)
{
	nsec end = session->ticks ? window_until(window,
					    session->last.at + session->last.interval)
				  : window->to;

	return end - session_settled(session, window) <
	       (nsec)VERDICT_SHORTEST * NSEC_PER_SEC;
}

struct side side_pooled(const struct session *session, uint32_t id)
{
	const struct window *named = windows_by_id(&session->windows, id);
	struct side side = {.count = 0};

	for (size_t i = 0; named && i < session->windows.count; i++) {
		const struct window *window = &session->windows.list[i];

		if (window->role == ROLE_RUN || strcasecmp(window->name, named->name))
			continue;
		if (is_brief(session, window))
			side.brief++;
		else
			add(&side, window->id);
	}
	return side;
}

enum sides sides_of(const struct session *session, uint32_t a, uint32_t b, bool pool,
	struct side sides[2])
{
	const struct window *const windows[] = {windows_by_id(&session->windows, a),
		windows_by_id(&session->windows, b)};
	bool same;

	sides[0] = side_alone(a);
	sides[1] = side_alone(b);
	if (!windows[0] || !windows[1])
		return SIDES_SINGLE;
	same = !strcasecmp(windows[0]->name, windows[1]->name);
	if (windows[0]->role == ROLE_RUN || windows[1]->role == ROLE_RUN) {
		for (size_t i = 0; i < 2; i++)
			if (!same && windows[i]->role == ROLE_RUN)
				sides[i] = side_runs(session, windows[i]->id);
		return SIDES_RUNS;
	}
	if (!pool || same)
		return SIDES_SINGLE;
	for (size_t i = 0; i < 2; i++)
		sides[i] = side_pooled(session, windows[i]->id);
	return sides[0].count + sides[1].count > 2 ? SIDES_POOLED : SIDES_SINGLE;
}
