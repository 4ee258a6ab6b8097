/* The rows of device panes; see the header. */
#include "config.h"

#include "tui/rows.h"

#include "base/text.h"
#include "tui/detail.h"

#include <string.h>

void rows_begin(struct rows *rows, unsigned which)
{
	static uint32_t items[KIND_COUNT + 1][ROWS_MAX];
	static double keys[KIND_COUNT + 1][ROWS_MAX];

	*rows = (struct rows){.items = items[which], .keys = keys[which]};
}

static void add_rows(const struct row_source *source, const struct scene *scene,
	struct rows *rows, bool active)
{
	const struct session *session = scene->session;

	for (size_t i = 0; i < session->subject_count; i++) {
		const struct subject *subject = &session->subjects[i];

		if (subject->kind != source->kind ||
			!scene_present(scene, (uint32_t)i) ||
			scene_active(scene, (uint32_t)i, source->activity) != active)
			continue;
		if (rows->count == ROWS_MAX || !view_shows(scene->view, source->pane,
						       subject->name, subject->label))
			rows->hidden++;
		else
			rows->items[rows->count++] = (uint32_t)i;
	}
}

/* By what rows are put in order. */
struct order {
	const struct scene *scene;
	const struct pane_view *pane;
	struct rows *rows;
};

static bool goes_before(const struct order *by, size_t a, size_t b)
{
	const struct subject *subjects = by->scene->session->subjects;
	double order = by->rows->keys[a] - by->rows->keys[b];

	if (by->pane->sort == 1)
		order = strcmp(scene_name(&subjects[by->rows->items[b]]),
			scene_name(&subjects[by->rows->items[a]]));
	return by->pane->invert ? order < 0 : order > 0;
}

/* Two neighbours that are in order become one. */
static void merge(const struct order *by, size_t from, size_t middle, size_t to)
{
	static uint32_t items[ROWS_MAX];
	static double keys[ROWS_MAX];
	size_t left = from, right = middle;

	for (size_t at = from; at < to; at++) {
		bool second =
			left == middle || (right < to && goes_before(by, right, left));
		size_t next = second ? right++ : left++;

		items[at] = by->rows->items[next];
		keys[at] = by->rows->keys[next];
	}
	memcpy(by->rows->items + from, items + from, (to - from) * sizeof *items);
	memcpy(by->rows->keys + from, keys + from, (to - from) * sizeof *keys);
}

/* Stable: rows that are alike keep their order. */
void rows_sort(const struct scene *scene, enum pane_id pane, struct rows *rows)
{
	const struct order by = {scene, &scene->view->panes[pane], rows};

	for (size_t length = 1; length < rows->count; length *= 2)
		for (size_t at = 0; at + length < rows->count; at += 2 * length)
			merge(&by, at, at + length,
				at + 2 * length < rows->count ? at + 2 * length
							      : rows->count);
}

/* A device that came back is a subject of its own: its name is not gone, and one that
 * went several times is named once. */
static bool is_gone(
	const struct row_source *source, const struct scene *scene, size_t index)
{
	const struct subject *subjects = scene->session->subjects;
	const char *name = scene_name(&subjects[index]);

	if (subjects[index].kind != source->kind ||
		scene_present(scene, (uint32_t)index))
		return false;
	for (size_t i = 0; i < scene->session->subject_count; i++)
		if (i != index && subjects[i].kind == source->kind &&
			!strcmp(scene_name(&subjects[i]), name) &&
			(i > index || scene_present(scene, (uint32_t)i)))
			return false;
	return true;
}

/* Whether a row is the disk NAME and no path itself. */
static bool is_among(
	const struct scene *scene, const struct rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->count; i++)
		if (!strcmp(scene->session->subjects[rows->items[i]].name, name) &&
			!*detail_fact(scene, rows->items[i], "path_of"))
			return true;
	return false;
}

enum {
	GROUPED = 512 /* rows at most: each is held against all others */
};

/* The paths of a multipath device stand below it; what is left of the quiet rows at
 * the end stays quiet. Of more rows than that each stands for itself: a filter helps.
 */
static void group_paths(
	const struct row_source *source, const struct scene *scene, struct rows *rows)
{
	const struct subject *subjects = scene->session->subjects;
	uint32_t grouped[GROUPED];
	const char *of[GROUPED];
	size_t count = 0, any = 0;

	if (rows->count > GROUPED)
		return;
	for (size_t i = 0; i < rows->count; i++) {
		of[i] = detail_fact(scene, rows->items[i], "path_of");
		any += *of[i] != 0;
	}
	if (!any)
		return;
	for (size_t i = 0; i < rows->count; i++) {
		if (*of[i] && is_among(scene, rows, of[i]))
			continue; /* its turn comes with its map */
		grouped[count++] = rows->items[i];
		for (size_t k = 0; k < rows->count && !*of[i]; k++)
			if (!strcmp(of[k], subjects[rows->items[i]].name))
				grouped[count++] = rows->items[k];
	}
	memcpy(rows->items, grouped, count * sizeof *grouped);
	rows->quiet = 0;
	while (rows->quiet < count &&
		!scene_active(
			scene, grouped[count - 1 - rows->quiet], source->activity))
		rows->quiet++;
}

static void count_gone(
	const struct row_source *source, const struct scene *scene, struct rows *rows)
{
	for (size_t i = 0; i < scene->session->subject_count; i++)
		rows->gone += is_gone(source, scene, i);
}

void rows_of(
	const struct row_source *source, const struct scene *scene, struct rows *rows)
{
	int sort = scene->view->panes[source->pane].sort;

	rows_begin(rows, source->kind);
	add_rows(source, scene, rows, true);
	rows->quiet = rows->count;
	add_rows(source, scene, rows, false);
	rows->quiet = rows->count - rows->quiet;
	count_gone(source, scene, rows);
	if (!sort && source->kind == KIND_DISK)
		group_paths(source, scene, rows);
	if (!sort)
		return;
	rows->quiet = 0;
	for (size_t i = 0; i < rows->count; i++)
		rows->keys[i] = source->key(scene, rows->items[i], sort);
	rows_sort(scene, source->pane, rows);
}

size_t rows_top(const struct scene *scene, enum pane_id pane, size_t count, int shown)
{
	int selected = scene->view->panes[pane].selected;

	if (selected >= (int)count)
		selected = (int)count - 1;
	if (shown < 1 || selected < shown)
		return 0;
	return (size_t)(selected - shown + 1);
}

void rows_select(const struct scene *scene, enum pane_id pane, size_t index,
	struct canvas *canvas, int row)
{
	if (scene->view->focus != (int)pane ||
		scene->view->panes[pane].selected != (int)index)
		return;
	canvas_paint(canvas, row, 0, canvas->width, CELL_SELECT);
	canvas_text(canvas, row, 0, CELL_SELECT, ">");
}

void rows_title(const struct scene *scene, enum pane_id pane, const char *name,
	char *to, size_t size)
{
	(void)text_format(to, size, "%c%d %s", /* a fixed short text */
		scene->view->focus == (int)pane ? '>' : ' ', (int)pane + 1, name);
}

static int add_gone(const struct row_source *source, const struct scene *scene,
	struct canvas *canvas, int row, int at)
{
	const struct session *session = scene->session;

	at = canvas_text(canvas, row, at, CELL_HEADER, "  GONE");
	for (size_t i = 0; i < session->subject_count; i++)
		if (is_gone(source, scene, i))
			at = canvas_format(canvas, (struct spot){row, at, CELL_PLAIN},
				" %s", scene_name(&session->subjects[i]));
	return at;
}

static void draw_rest(const struct row_source *source, const struct scene *scene,
	const struct rows *rows, size_t drawn, struct canvas *line)
{
	size_t above = rows_top(scene, source->pane, rows->count, (int)drawn);
	size_t from = above + drawn;
	size_t rest = rows->count > from ? rows->count - from : 0;
	int at = above ? canvas_format(line, (struct spot){0, 0, CELL_DIM},
				 "  %zu above", above)
		       : 0;

	if (rest)
		at = canvas_format(line, (struct spot){0, at, CELL_DIM},
			"  +%zu %s:", rest, rest <= rows->quiet ? "quiet" : "more");
	for (size_t i = from; i < rows->count && at < line->width; i++)
		at = canvas_format(line, (struct spot){0, at, CELL_DIM}, " %s",
			scene_name(&scene->session->subjects[rows->items[i]]));
	if (rows->gone)
		(void)add_gone(source, scene, line, 0, at);
}

void rows_draw(const struct row_source *source, const struct table *table,
	const struct scene *scene, const struct rows *rows, struct canvas *canvas)
{
	int shown = canvas->height - 1;
	bool rest = shown > 1 && (int)rows->count + (rows->gone > 0) > shown;
	size_t top = rows_top(scene, source->pane, rows->count, shown - rest);
	int row = 1;

	for (; row <= shown - rest && top < rows->count; row++, top++) {
		table_row(table, scene, canvas, row, rows->items[top]);
		rows_select(scene, source->pane, top, canvas, row);
	}
	if (rest || (rows->gone && row <= shown)) {
		struct canvas line = canvas_part(canvas, row, 0, 1, canvas->width);

		draw_rest(source, scene, rows, (size_t)row - 1, &line);
	}
	if (!rows->count && !rows->gone)
		canvas_text(canvas, 1, 0, CELL_DIM,
			rows->hidden ? "  all are hidden by the filter (/)"
				     : "  none is reported");
}

int rows_wants(const struct row_source *source, const struct scene *scene)
{
	struct rows rows;

	rows_of(source, scene, &rows);
	return rows.count || rows.gone ? (int)rows.count + (rows.gone > 0) : 1;
}

size_t rows_count(
	const struct row_source *source, const struct scene *scene, size_t *hidden)
{
	struct rows rows;

	rows_of(source, scene, &rows);
	*hidden = rows.hidden;
	return rows.count;
}

bool rows_subject(const struct row_source *source, const struct scene *scene,
	size_t index, uint32_t *subject)
{
	struct rows rows;

	rows_of(source, scene, &rows);
	if (index >= rows.count)
		return false;
	*subject = rows.items[index];
	return true;
}

/* '!' where a headline figure of the row is worse, '+' where one is better and none
 * is worse: readable without colour. */
static void draw_sign(struct cell *cell)
{
	const struct session *session = cell->scene->session;
	const char *sign = "";
	enum role_cell role = CELL_PLAIN;

	for (size_t i = 0; i < session->track_count; i++) {
		const struct verdict *verdict;

		if (session->tracks[i].subject != cell->item)
			continue;
		verdict = scene_verdict(cell->scene, (int)i);
		if (verdict && verdict->word == VERDICT_WORSE) {
			sign = "!";
			role = CELL_WORSE;
			break;
		}
		if (verdict && verdict->word == VERDICT_BETTER) {
			sign = "+";
			role = CELL_BETTER;
		}
	}
	canvas_text(&cell->canvas, 0, 0, role, sign);
}

void rows_name(struct cell *cell)
{
	const struct subject *subject = &cell->scene->session->subjects[cell->item];
	struct canvas canvas = cell->canvas;

	cell->role = CELL_PLAIN;
	draw_sign(cell);
	cell->canvas = canvas_part(&canvas, 0, 1, 1, canvas.width - 1);
	if (subject->kind == KIND_DISK && !cell->scene->view->panes[PANE_DISK].sort &&
		*detail_fact(cell->scene, (uint32_t)cell->item, "path_of")) {
		canvas_text(&canvas, 0, 1, CELL_DIM, "`-");
		cell->canvas = canvas_part(&canvas, 0, 3, 1, canvas.width - 3);
	}
	cell_left(cell, scene_name(subject));
}

double rows_key(struct value value)
{
	return value.why == WHY_NONE ? value.value : -1;
}

int rows_longest(const struct scene *scene, const struct rows *rows)
{
	size_t longest = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct subject *subject =
			&scene->session->subjects[rows->items[i]];
		size_t columns = text_columns(scene_name(subject));

		longest = columns > longest ? columns : longest;
	}
	return (int)(longest > 27 ? 28 : longest + 1);
}
