/* Looking things up for a drawing; see the header. */
#include "config.h"

#include "tui/scene.h"

#include "base/text.h"
#include "core/unit.h"

#include <time.h>

/* The newest of ROLE that had begun at AT. */
static const struct window *newest(
	const struct session *session, enum role role, nsec at)
{
	const struct window *found = NULL;

	for (size_t i = 0; i < session->windows.count; i++) {
		const struct window *window = &session->windows.list[i];

		if (window->role == role && window->from <= at &&
			(!found || window->from >= found->from))
			found = window;
	}
	return found;
}

static const struct window *newest_of_any(const struct session *session, nsec at)
{
	const struct window *found = NULL;

	for (size_t i = 0; i < session->windows.count; i++) {
		const struct window *window = &session->windows.list[i];

		if (window->role != ROLE_RUN && window->from <= at &&
			(!found || window->from >= found->from))
			found = window;
	}
	return found;
}

/* One that was chosen in the list of windows, if it had begun. */
static const struct window *chosen(const struct scene *scene, size_t side)
{
	uint32_t id = scene->view->pair[side];
	const struct window *window =
		id ? windows_by_id(&scene->session->windows, id) : NULL;

	return window && window->from <= scene->at ? window : NULL;
}

/* The newest BEFORE and the AFTER that follows it, unless others were chosen. */
static void find_pair(struct scene *scene)
{
	const struct window *a = chosen(scene, 0), *b = chosen(scene, 1);

	scene->a = a ? a : newest(scene->session, ROLE_BEFORE, scene->at);
	scene->b = b ? b : newest(scene->session, ROLE_AFTER, scene->at);
	if (!b && scene->a && scene->b && scene->b->from < scene->a->from)
		scene->b = NULL;
	if (scene->a == scene->b)
		scene->b = NULL;
}

/* Since when nothing was missed, up to AT; the session's start where nothing was. */
static nsec last_gap(const struct session *session, nsec at)
{
	for (size_t i = session->gap_count; i--;)
		if (session->gaps[i].to <= at)
			return session->gaps[i].to;
	return 0;
}

void scene_make(struct scene *scene, const struct session *session,
	const struct view *view, const struct status *status)
{
	*scene = (struct scene){.session = session, .view = view, .status = status};
	scene->back = view_back(view, session);
	scene->at = view_at(view, session);
	find_pair(scene);
	scene->comparable = scene->a && (scene->b || scene->a->to <= scene->at);
	scene->current = newest_of_any(session, scene->at);
	scene->seen_since = last_gap(session, scene->at);
}

struct value scene_track(const struct scene *scene, size_t track)
{
	enum tick_gap gap;

	if (!scene->back)
		return scene->session->tracks[track].now;
	return session_past(scene->session, track, scene->back, &gap);
}

int scene_find(const struct scene *scene, uint32_t subject, const char *metric)
{
	int number = metric_find(metric);

	return number < 0 ? -1
			  : session_track(scene->session, subject, (unsigned)number);
}

struct value scene_figure(
	const struct scene *scene, uint32_t subject, const char *metric)
{
	int track = scene_find(scene, subject, metric);

	return track < 0 ? (struct value){.why = WHY_ABSENT}
			 : scene_track(scene, (size_t)track);
}

struct value scene_sum(
	const struct scene *scene, uint32_t subject, const char *one, const char *other)
{
	struct value sum = scene_figure(scene, subject, one);
	struct value more = scene_figure(scene, subject, other);

	if (sum.why == WHY_NONE && more.why != WHY_NONE)
		return more;
	sum.value += more.value;
	return sum;
}

bool scene_present(const struct scene *scene, uint32_t subject)
{
	if (!scene->back)
		return scene->session->present[subject];
	for (size_t i = 0; i < scene->session->track_count; i++) {
		if (scene->session->tracks[i].subject != subject)
			continue;
		if (scene_track(scene, i).why != WHY_ABSENT)
			return true;
	}
	return false;
}

bool scene_active(const struct scene *scene, uint32_t subject, const char *const *ids)
{
	for (; *ids; ids++) {
		int track = scene_find(scene, subject, *ids);

		if (track >= 0 && scene->session->tracks[track].last_event >= 0)
			return true;
	}
	return false;
}

const char *scene_name(const struct subject *subject)
{
	return *subject->label ? subject->label : subject->name;
}

const struct summary *scene_summary(
	const struct scene *scene, const struct window *window, int track)
{
	const struct summary *summary;

	if (!window || track < 0)
		return NULL;
	summary = session_summary(scene->session, window->id, (size_t)track);
	return summary && summary->samples ? summary : NULL;
}

const struct verdict *scene_verdict(const struct scene *scene, int track)
{
	const struct judge *judge = &scene->view->judge;

	if (track < 0 || !scene->a || !scene->b || judge->a.id != scene->a->id ||
		judge->b.id != scene->b->id)
		return NULL;
	return judge_verdict(judge, (size_t)track);
}

bool scene_pair(const struct scene *scene, int track, double *a, double *b)
{
	const struct summary *before = scene_summary(scene, scene->a, track);
	const struct summary *after = scene_summary(scene, scene->b, track);
	struct value now;

	if (!scene->comparable || !before || !summary_mean(before, a))
		return false;
	if (scene->b)
		return after && summary_mean(after, b);
	now = scene_track(scene, (size_t)track);
	*b = now.value;
	return now.why == WHY_NONE;
}

void scene_clock(const struct scene *scene, nsec at, char *to, size_t size)
{
	unit_clock(to, size, session_wall(scene->session, at),
		scene->session->last.zone_minutes);
}

void scene_date(const struct scene *scene, nsec at, char *to, size_t size)
{
	nsec wall = session_wall(scene->session, at) +
		    scene->session->last.zone_minutes * 60 * NSEC_PER_SEC;
	time_t seconds = (time_t)(wall / NSEC_PER_SEC);
	struct tm parts;

	/* the zone is in WALL already: only calendar arithmetic is wanted here */
	if (!gmtime_r(&seconds, &parts) || !strftime(to, size, "%a %F", &parts))
		(void)text_copy(to, size, "?");
}

void view_judge(struct view *view, const struct session *session)
{
	struct scene scene;

	scene_make(&scene, session, view, NULL);
	judge_update(&view->judge, session, scene.a, scene.b);
}
