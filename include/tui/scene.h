/*
 * What a drawing is made from: the session, the person's view of it, how the
 * recorder is doing, and the two windows that are laid side by side. Made anew for
 * each drawing; owns nothing.
 */
#ifndef WEIR_TUI_SCENE_H
#define WEIR_TUI_SCENE_H

#include "core/session.h"
#include "tui/canvas.h"
#include "tui/view.h"

/* The recorder, as the app knows it. */
struct status {
	bool recording; /* false: replay, or a recorder that has ended */
	int viewers;
	uint64_t unsaved, late;
	nsec unsaved_for;
	char trouble[240]; /* replaces line 2 */
	char sources[240]; /* "capture off: ..." or "" */
};

struct scene {
	const struct session *session;
	const struct view *view;
	const struct status *status;
	size_t back;                  /* the tick shown, counted from the last */
	nsec at;                      /* its session time */
	const struct window *a, *b;   /* BEFORE and AFTER, or null */
	bool comparable;              /* B is there, or A is over */
	const struct window *current; /* the newest that has begun, or null */
	nsec seen_since;              /* end of the last gap in the ring */
};

void scene_make(struct scene *scene, const struct session *session,
	const struct view *view, const struct status *status);

/* The figure of METRIC (an id) at the moment shown; WHY_ABSENT if nobody reads it. */
struct value scene_figure(
	const struct scene *scene, uint32_t subject, const char *metric);
struct value scene_track(const struct scene *scene, size_t track);
/* -1 if there is none. */
int scene_find(const struct scene *scene, uint32_t subject, const char *metric);
/* Sum of two figures; unknown if either is. */
struct value scene_sum(const struct scene *scene, uint32_t subject, const char *one,
	const char *other);

/* Whether the subject is there at the moment shown. */
bool scene_present(const struct scene *scene, uint32_t subject);
/* Whether any operation or byte ever moved. */
bool scene_active(const struct scene *scene, uint32_t subject, const char *const *ids);

/* The name to show: the label where there is one. */
const char *scene_name(const struct subject *subject);

/* Means of A and B (B: AFTER, or the moment shown where there is none). False where
 * either has no figure. */
bool scene_pair(const struct scene *scene, int track, double *a, double *b);
/* The verdict on TRACK, where one can be given or refused; else null. */
const struct verdict *scene_verdict(const struct scene *scene, int track);
/* Summary of TRACK in WINDOW, null where there is none or it is empty. */
const struct summary *scene_summary(
	const struct scene *scene, const struct window *window, int track);

/* "02:33:18" and "Thu 2026-10-01" of a session time, in the recorder's zone. */
void scene_clock(const struct scene *scene, nsec at, char *to, size_t size);
void scene_date(const struct scene *scene, nsec at, char *to, size_t size);

#endif
