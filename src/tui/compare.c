/* Rows of the compare page and the evidence of one; see the header. */
#include "config.h"

#include "tui/compare.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum {
	LABEL = 14, /* columns before the bars */
};

static struct compare_side side_of(
	const struct scene *scene, const struct window *window, int track)
{
	const struct summary *summary = scene_summary(scene, window, track);
	const struct metric *metric = metric_at(scene->session->tracks[track].metric);
	struct compare_side side = {.summary = summary};

	if (!summary)
		return side;
	side.num = summary->num;
	side.known = summary_mean(summary, &side.mean) &&
		     summary_quantile(summary, metric, 0.5, &side.median) &&
		     summary_quantile(summary, metric, 0.95, &side.p95);
	return side;
}

void compare_track(const struct scene *scene, uint32_t track, struct comparing *c)
{
	const struct track *of = &scene->session->tracks[track];
	enum unit_system units = scene->view->units;

	*c = (struct comparing){
		.subject = &scene->session->subjects[of->subject],
		.metric = metric_at(of->metric),
		.a = side_of(scene, scene->a, (int)track),
		.b = side_of(scene, scene->b, (int)track),
		.verdict = scene_verdict(scene, (int)track),
		.events = metric_is_event(metric_at(of->metric)),
	};
	if (c->metric->kind == KIND_NIC && units != UNITS_IEC_BYTES)
		units = UNITS_SI_BITS;
	c->scale = unit_scale(c->metric, fmax(c->a.p95, c->b.p95), units);
}

size_t compare_place(const struct scene *scene)
{
	const struct judge *judge = &scene->view->judge;

	for (size_t i = 0; i < judge->order_count; i++)
		if (judge->order[i].track + 1 == scene->view->compared)
			return i;
	return 0;
}

uint32_t compare_selected(const struct scene *scene)
{
	const struct judge *judge = &scene->view->judge;

	return judge->order_count ? judge->order[compare_place(scene)].track
				  : UINT32_MAX;
}

/* ---- evidence ---- */

/* A line from 0 to MOST with [ at p5, | at the median, ] at p95 and x at the highest.
 */
static void draw_bar(const struct comparing *c, const struct compare_side *side,
	double most, struct canvas *canvas, int row)
{
	int width = canvas->width - LABEL - 2;
	double low;

	if (!side->known || most <= 0 || width < 10 ||
		!summary_quantile(side->summary, c->metric, 0.05, &low)) {
		canvas_text(canvas, row, LABEL, CELL_UNKNOWN, "no figure");
		return;
	}
	{
		const double at[] = {
			low, side->median, side->p95, side->summary->highest};
		int place[4];

		for (int i = 0; i < 4; i++)
			place[i] = (int)(fmin(at[i] / most, 1) * (width - 1));
		canvas_fill(canvas, (struct spot){row, LABEL, CELL_GRAPH}, width, ' ');
		canvas_fill(canvas, (struct spot){row, LABEL + place[0], CELL_GRAPH},
			place[2] - place[0] + 1, '=');
		for (int i = 0; i < 4; i++)
			canvas_fill(canvas,
				(struct spot){
					row, LABEL + place[i == 3 ? 3 : i], CELL_VALUE},
				1, (uint32_t) "[|]x"[i]);
	}
}

/* The share of B's samples above LEVEL, from its quantiles. */
static double share_above(
	const struct compare_side *side, const struct metric *metric, double level)
{
	double low = 0, high = 1, value;

	for (int i = 0; i < 12; i++) {
		double middle = (low + high) / 2;

		if (!summary_quantile(side->summary, metric, middle, &value))
			return (double)NAN;
		if (value > level)
			high = middle;
		else
			low = middle;
	}
	return 1 - high;
}

static void draw_side(const struct scene *scene, const struct comparing *c, bool b,
	double most, struct canvas *canvas)
{
	const struct window *window = b ? scene->b : scene->a;
	const struct compare_side *side = b ? &c->b : &c->a;
	char name[4 * LABEL];

	text_middle(name, sizeof name, window ? window->name : "none", LABEL - 5);
	canvas_format(canvas, (struct spot){b ? 2 : 1, 0, CELL_PLAIN}, "  %c %s",
		b ? 'B' : 'A', name);
	draw_bar(c, side, most, canvas, b ? 2 : 1);
}

static void describe_change(const struct verdict *v, char *to, size_t size)
{
	char change[16], low[16], high[16];

	unit_change(change, sizeof change, v->change);
	unit_change(low, sizeof low, v->low);
	unit_change(high, sizeof high, v->high);
	if (isfinite(v->change))
		(void)text_format(to, size, "change %s %%, 95 %% interval %s..%s",
			change, low, high);
	else
		(void)text_copy(to, size, "none in A");
}

static void draw_words(
	const struct scene *scene, const struct comparing *c, struct canvas *canvas)
{
	const struct families *families = &scene->view->judge.families;
	const struct verdict *v = c->verdict;
	char words[120], change[80], p[24];

	if (!v || (v->word == VERDICT_NONE && c->a.known && c->b.known)) {
		canvas_text(canvas, 4, 2, CELL_DIM,
			v ? "nothing to judge yet behind the settling time"
			  : "no verdict: it is not judged");
		return;
	}
	verdict_words(words, sizeof words, v, families->headline + families->secondary);
	canvas_format(canvas, (struct spot){4, 2, CELL_PLAIN}, "%s%s%s", words,
		v->kind == VERDICT_LOAD ? ", at the same load" : "",
		scene->b && window_runs(scene->b, scene->session->last.at) ? ", so far"
									   : "");
	if (!v->tested)
		return;
	describe_change(v, change, sizeof change);
	verdict_p(p, sizeof p, v);
	canvas_format(canvas, (struct spot){5, 2, CELL_PLAIN}, "%s, %s after Holm",
		change, p);
	canvas_format(canvas, (struct spot){6, 2, CELL_DIM},
		"rests on %.0f independent samples at least%s", v->ess,
		v->borrowed ? "; the longer window says how much such lengths wander"
			    : "");
}

/* How often the queue of the selected row peaked; null: it is no queue, or of a disk
 * that is not of the headline. */
static const struct headline_row *peaks_of(const struct scene *scene, uint32_t track)
{
	const struct judgement *j = &scene->view->judge.judgement;
	const struct track *of = &scene->session->tracks[track];

	if (strcmp(metric_at(of->metric)->id, "disk.queue") != 0)
		return NULL;
	for (size_t i = 0; i < j->extra_count; i++)
		if (headline_is_peaks(&j->extra[i]) &&
			j->extra[i].subject == of->subject)
			return &j->extra[i];
	return NULL;
}

int evidence_rows(const struct scene *scene)
{
	uint32_t track = compare_selected(scene);

	return EVIDENCE_ROWS + (track != UINT32_MAX && peaks_of(scene, track) ? 2 : 0);
}

static void draw_peaks(const struct scene *scene, uint32_t track, struct canvas *canvas)
{
	const struct headline_row *row = peaks_of(scene, track);
	char stretches[120], word[16];

	if (!row)
		return;
	headline_stretches(
		row, scene->session->last.interval, stretches, sizeof stretches);
	verdict_short(word, sizeof word, &row->verdict);
	canvas_format(canvas, (struct spot){EVIDENCE_ROWS, 2, CELL_PLAIN},
		"peaks: %.0f > %.0f ticks above A's p99 of %.3g: %s", row->verdict.k1,
		row->verdict.k2, row->limit, word);
	canvas_format(
		canvas, (struct spot){EVIDENCE_ROWS + 1, 1, CELL_DIM}, "%s", stretches);
}

void evidence_draw(const struct scene *scene, struct canvas *canvas)
{
	uint32_t track = compare_selected(scene);
	struct comparing c;
	char text[24], above[32];
	double most = 0;

	if (track == UINT32_MAX)
		return;
	compare_track(scene, track, &c);
	if (c.a.known)
		most = c.a.summary->highest;
	if (c.b.known)
		most = fmax(most, c.b.summary->highest);
	unit_value(text, sizeof text, c.metric, most,
		c.metric->kind == KIND_NIC ? UNITS_SI_BITS : scene->view->units);
	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_format(canvas, (struct spot){0, 0, CELL_HEADER},
		"%s %s   0 to %s   [ p5  | median  ] p95  x highest",
		scene_name(c.subject), c.metric->title, text);
	draw_side(scene, &c, false, most, canvas);
	draw_side(scene, &c, true, most, canvas);
	if (c.a.known && c.b.known) {
		unit_number(above, sizeof above,
			100 * share_above(&c.b, c.metric, c.a.p95), 4);
		canvas_format(canvas, (struct spot){3, 2, CELL_PLAIN},
			"%s %% of B lies above A's p95 (5 %% would, without a change)",
			above);
	}
	draw_words(scene, &c, canvas);
	draw_peaks(scene, track, canvas);
}
