/*
 * The compare page: window A beside window B, metric by metric. Ratio is of the
 * means; medians and p95 show the spread; the verdict stands beside.
 */
#include "config.h"

#include "base/text.h"
#include "core/unit.h"
#include "tui/screen.h"

#include <string.h>

/* Which rows, in this order; counters of bad things have their own pane. */
static const char *const metrics[] = {"disk.queue", "disk.queue.max", "disk.read.await",
	"disk.write.await", "disk.read.bytes", "disk.write.bytes", "disk.read.ops",
	"disk.write.ops", "net.rx.bytes", "net.tx.bytes", "tcp.retrans"};

struct side {
	bool known;
	double mean, median, p95;
};

static struct side side_of(
	const struct scene *scene, const struct window *window, int track)
{
	const struct summary *summary = scene_summary(scene, window, track);
	const struct metric *metric = metric_at(scene->session->tracks[track].metric);
	struct side side = {0};

	if (!summary)
		return side;
	side.known = summary_mean(summary, &side.mean) &&
		     summary_quantile(summary, metric, 0.5, &side.median) &&
		     summary_quantile(summary, metric, 0.95, &side.p95);
	return side;
}

static void side_text(const struct side *side, double factor, char *to, size_t size)
{
	char median[16], p95[16];

	if (!side->known) {
		(void)text_copy(to, size, "     -      -");
		return;
	}
	unit_number(median, sizeof median, side->median * factor, 5);
	unit_number(p95, sizeof p95, side->p95 * factor, 5);
	(void)text_format(to, size, "%6s %6s", median, p95);
}

static bool draw_row(
	const struct scene *scene, int track, struct canvas *canvas, int row)
{
	const struct track *of = &scene->session->tracks[track];
	const struct metric *metric = metric_at(of->metric);
	const struct subject *subject = &scene->session->subjects[of->subject];
	struct side a = side_of(scene, scene->a, track);
	struct side b = side_of(scene, scene->b, track);
	enum unit_system units =
		metric->kind == KIND_NIC && scene->view->units != UNITS_IEC_BYTES
			? UNITS_SI_BITS
			: scene->view->units;
	struct unit_scale scale;
	char name[128], cut[64], left[32], right[32], ratio[16] = "-", word[16] = "-";
	const struct verdict *verdict = scene_verdict(scene, track);
	int room = canvas->width - 47;

	if ((!a.known && !b.known) || (a.p95 <= 0 && b.p95 <= 0))
		return false;
	scale = unit_scale(metric, a.p95 > b.p95 ? a.p95 : b.p95, units);
	(void)text_format(name, sizeof name, "%s %s%s%s", scene_name(subject),
		metric->title, *scale.word ? " " : "", scale.word);
	text_middle(cut, sizeof cut, name,
		room < 10   ? 10
		: room > 60 ? 60
			    : (size_t)room);
	side_text(&a, scale.factor, left, sizeof left);
	side_text(&b, scale.factor, right, sizeof right);
	if (a.known && b.known)
		unit_ratio(ratio, sizeof ratio, a.mean, b.mean);
	if (verdict)
		verdict_short(word, sizeof word, verdict);
	canvas_text(canvas, row, 0, CELL_PLAIN, cut);
	canvas_format(canvas, (struct spot){row, room < 10 ? 10 : room, CELL_VALUE},
		" %s  %s %7s %9s", left, right, ratio, word);
	return true;
}

static int draw_rows(const struct scene *scene, struct canvas *canvas)
{
	int row = -scene->view->scroll, drawn = 0;

	for (size_t i = 0; i < scene->session->subject_count; i++) {
		for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
			int track = scene_find(scene, (uint32_t)i, metrics[m]);

			if (track < 0 || !draw_row(scene, track, canvas, row))
				continue;
			row++;
			drawn++;
		}
	}
	return drawn;
}

static void draw_window(const struct scene *scene, const struct window *window,
	char letter, struct canvas *canvas, int row)
{
	struct coverage coverage;
	char from[16], length[24];
	bool open;

	if (!window) {
		canvas_format(canvas, (struct spot){row, 0, CELL_UNKNOWN},
			"%c  no %s yet", letter, letter == 'A' ? "BEFORE" : "AFTER");
		return;
	}
	open = window->to == WINDOW_OPEN;
	coverage = session_coverage(scene->session, window->id);
	scene_clock(scene, window->from, from, sizeof from);
	unit_duration(length, sizeof length,
		(open ? scene->session->last.at : window->to) - window->from);
	canvas_format(canvas, (struct spot){row, 0, CELL_PLAIN},
		"%c  %s from %s, %s%s, %llu of %llu samples, %llu gaps", letter,
		window->name, from, length, open ? " and open" : "",
		(unsigned long long)coverage.seen,
		(unsigned long long)coverage.expected,
		(unsigned long long)coverage.gaps);
}

void page_compare(const struct scene *scene, struct canvas *canvas)
{
	struct canvas rest =
		canvas_part(canvas, 4, 0, canvas->height - 4, canvas->width);
	int room = canvas->width - 47;

	canvas_fill(canvas, (struct spot){0, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_text(canvas, 0, 0, CELL_TITLE,
		"COMPARE  B to A: ratio of the means, verdict by the report's method");
	draw_window(scene, scene->a, 'A', canvas, 1);
	draw_window(scene, scene->b, 'B', canvas, 2);
	canvas_fill(canvas, (struct spot){3, 0, CELL_HEADER}, canvas->width, ' ');
	canvas_text(canvas, 3, room < 10 ? 10 : room, CELL_HEADER,
		"  A med  A p95   B med  B p95   ratio   verdict");
	if (!draw_rows(scene, &rest))
		canvas_text(&rest, 0, 0, CELL_DIM,
			"  nothing was recorded in these windows");
}
