/* Line 1: host, session, time, and whether the recording is well. Its parts are
 * dropped from the least important one on until they fit. */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/lines.h"
#include "tui/pane.h"

#include <string.h>

enum {
	PARTS = 10
};

struct part {
	char text[96];
	int keep; /* the lowest goes first */
	enum role_cell role;
};

static struct part *add(struct part *parts, int *count, int keep, enum role_cell role)
{
	struct part *part = &parts[(*count)++];

	*part = (struct part){.keep = keep, .role = role};
	return part;
}

static void add_names(const struct scene *scene, struct part *parts, int *count)
{
	const struct session *session = scene->session;
	const char *host =
		session->run_count ? session->runs[session->run_count - 1].host : "";

	(void)text_copy(add(parts, count, 10, CELL_TITLE)->text, 96, "weir");
	(void)text_copy(add(parts, count, 30, CELL_PLAIN)->text, 40, host);
	(void)text_copy(add(parts, count, 60, CELL_TITLE)->text, 66, session->name);
}

static void add_times(const struct scene *scene, struct part *parts, int *count)
{
	char date[32], clock[16], every[24];
	int zone = scene->session->last.zone_minutes, size = zone < 0 ? -zone : zone;

	scene_date(scene, scene->at, date, sizeof date);
	scene_clock(scene, scene->at, clock, sizeof clock);
	(void)text_copy(add(parts, count, 20, CELL_PLAIN)->text, 96, date);
	(void)text_format(add(parts, count, 90, CELL_VALUE)->text, 96, "%s %c%02d%02d",
		clock, zone < 0 ? '-' : '+', size / 60, size % 60);
	unit_duration(every, sizeof every, scene->session->last.interval);
	(void)text_format(
		add(parts, count, 15, CELL_PLAIN)->text, 96, "every %s", every);
}

/* "REC ok 27m08s": how long the whole recording is; or REPLAY, or that it ended. */
static void add_recording(const struct scene *scene, struct part *parts, int *count)
{
	const struct status *status = scene->status;
	bool well = status->recording && !*status->trouble;
	char length[24];
	struct part *part = add(parts, count, 80,
		well || scene->view->replay ? CELL_PLAIN : CELL_ALERT);

	unit_duration(length, sizeof length, scene->session->last.at);
	(void)text_format(part->text, sizeof part->text, "%s %s",
		scene->view->replay  ? "REPLAY of"
		: !status->recording ? "REC ENDED after"
		: well               ? "REC ok"
				     : "REC TROUBLE",
		length);
	if (scene->view->paused && !scene->view->replay)
		(void)text_copy(add(parts, count, 95, CELL_PAUSED)->text, 96, "PAUSED");
	else if (scene->view->read_only)
		(void)text_copy(
			add(parts, count, 85, CELL_PLAIN)->text, 96, "read-only");
}

/* Filters must never be forgotten: they are said here with what they hide. */
static void add_filters(const struct scene *scene, struct part *parts, int *count)
{
	struct part *part = NULL;

	for (int i = 0; i < PANE_COUNT; i++) {
		size_t hidden, used;

		if (!*scene->view->panes[i].filter)
			continue;
		(void)panes[i]->rows(scene, &hidden);
		if (!part)
			part = add(parts, count, 92, CELL_KEY);
		used = strlen(part->text);
		(void)text_format(part->text + used, sizeof part->text - used,
			"%s%d/%.20s: %zu hidden", used ? ", " : "", i + 1,
			scene->view->panes[i].filter, hidden);
	}
}

static void add_rest(const struct scene *scene, struct part *parts, int *count)
{
	if (scene->status->viewers > 1)
		(void)text_format(add(parts, count, 25, CELL_PLAIN)->text, 96,
			"%d people attached", scene->status->viewers);
	if (*scene->view->hint)
		(void)text_copy(
			add(parts, count, 5, CELL_DIM)->text, 96, scene->view->hint);
}

static int columns_of(const struct part *parts, int count)
{
	int columns = 0;

	for (int i = 0; i < count; i++)
		columns += (int)text_columns(parts[i].text) + (i ? 2 : 0);
	return columns;
}

static void drop_least(struct part *parts, int *count)
{
	int least = 0;

	for (int i = 1; i < *count; i++)
		if (parts[i].keep < parts[least].keep)
			least = i;
	(*count)--;
	memmove(&parts[least], &parts[least + 1],
		(size_t)(*count - least) * sizeof *parts);
}

void line_status(const struct scene *scene, struct canvas *canvas)
{
	struct part parts[PARTS];
	int count = 0, at = 0;

	add_names(scene, parts, &count);
	add_times(scene, parts, &count);
	add_recording(scene, parts, &count);
	add_filters(scene, parts, &count);
	add_rest(scene, parts, &count);
	while (count > 1 && columns_of(parts, count) > canvas->width)
		drop_least(parts, &count);
	for (int i = 0; i < count; i++)
		at = canvas_text(
			canvas, 0, at + (i ? 2 : 0), parts[i].role, parts[i].text);
}
