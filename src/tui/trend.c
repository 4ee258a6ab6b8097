/* Trends, slopes, gauges; see the header. */
#include "config.h"

#include "tui/trend.h"

#include <math.h>
#include <string.h>

enum {
	SLOPE_TICKS = 15,
	SLOPE_LEAST = 5, /* figures that either half must have */
};

/* Ticks behind one character. */
static uint64_t per_character(const struct scene *scene)
{
	nsec interval = scene->session->last.interval;
	nsec ticks = interval > 0 ? 2 * NSEC_PER_SEC / interval : 1;

	return ticks < 1 ? 1 : (uint64_t)ticks;
}

int trend_seconds(const struct scene *scene, int columns)
{
	double tick = (double)scene->session->last.interval / (double)NSEC_PER_SEC;

	return (int)lround(columns * tick * (double)per_character(scene));
}

static int digit_of(const struct trend *trend, double value)
{
	double level = 0;

	value *= trend->factor;
	if (trend->scale == TREND_TENTH)
		level = trend->full > 0 ? floor(value / trend->full * 10) : 0;
	else if (value >= 1)
		level = trend->scale == TREND_LOG2 ? floor(log2(value)) + 1
						   : floor(log10(value));
	return level < 0 ? 0 : level > 9 ? 9 : (int)level;
}

/* What the ticks of one character say: the highest digit, or why there is none. */
struct group {
	int digit; /* -1: none */
	bool reset, missing, gap;
};

static void add_tick(const struct scene *scene, const struct trend *trend, size_t back,
	struct group *group)
{
	enum tick_gap gap;

	for (int i = 0; i < 2; i++) {
		struct value value;
		int digit;

		if (trend->tracks[i] < 0)
			continue;
		value = session_past(
			scene->session, (size_t)trend->tracks[i], back, &gap);
		digit = value.why == WHY_NONE ? digit_of(trend, value.value) : -1;
		group->digit = digit > group->digit ? digit : group->digit;
		group->reset |= value.why == WHY_RESET;
		group->gap |= value.why == WHY_GAP;
		/* no operation completed: there was nothing to wait for */
		group->missing |= value.why != WHY_NONE && value.why != WHY_ABSENT &&
				  value.why != WHY_NO_COMPLETION;
	}
}

/* Groups are aligned to the number of the tick, so that a trend moves on once per
 * group and not at every tick: on a slow link that is half the bytes. */
int trend_digit(const struct scene *scene, const struct trend *trend, int from_right)
{
	const struct session *session = scene->session;
	uint64_t per = per_character(scene), held = session->ring_size, shown, at;
	struct group group = {.digit = TREND_NOTHING};

	if (session->ticks <= scene->back)
		return TREND_NOTHING;
	held = session->ticks < held ? session->ticks : held;
	shown = session->ticks - 1 - scene->back;
	if (shown / per < (uint64_t)from_right)
		return TREND_NOTHING;
	at = (shown / per - (uint64_t)from_right) * per;
	for (uint64_t tick = at; tick < at + per; tick++)
		if (tick <= shown && session->ticks - 1 - tick < held)
			add_tick(scene, trend, (size_t)(session->ticks - 1 - tick),
				&group);
	if (group.reset)
		return TREND_RESET;
	return group.gap || (group.digit < 0 && group.missing) ? TREND_UNKNOWN
							       : group.digit;
}

void trend_draw(
	const struct scene *scene, const struct trend *trend, struct canvas *canvas)
{
	for (int i = 0; i < canvas->width; i++) {
		struct spot spot = {0, canvas->width - 1 - i, CELL_GRAPH};
		int digit = trend_digit(scene, trend, i);
		uint32_t code = (uint32_t)('0' + digit);

		if (digit == TREND_NOTHING)
			continue;
		if (digit < 0) {
			code = digit == TREND_RESET ? 'R' : '?';
			spot.role = CELL_UNKNOWN;
		} else if (scene->view->lines) {
			code = digit ? 0x2580u + (uint32_t)(digit * 8 + 8) / 9 : '_';
		}
		canvas_fill(canvas, spot, 1, code);
	}
}

static bool half_mean(const struct scene *scene, int track, size_t from, double *mean)
{
	double sum = 0;
	int count = 0;
	enum tick_gap gap;

	for (size_t i = from; i < from + SLOPE_TICKS; i++) {
		struct value value = session_past(
			scene->session, (size_t)track, scene->back + i, &gap);

		if (value.why != WHY_NONE)
			continue;
		sum += value.value;
		count++;
	}
	*mean = count ? sum / count : 0;
	return count >= SLOPE_LEAST;
}

const char *trend_slope(const struct scene *scene, int track)
{
	double now, before;

	if (track < 0 || !half_mean(scene, track, 0, &now) ||
		!half_mean(scene, track, SLOPE_TICKS, &before))
		return "";
	if (now > before * 2 && now - before >= 1)
		return "^^";
	if (before > now * 2 && before - now >= 1)
		return "vv";
	if (now > before * 1.25 && now - before >= 0.25)
		return "^";
	return before > now * 1.25 && before - now >= 0.25 ? "v" : "=";
}

static int place(double value, double full, int width)
{
	int at = full > 0 ? (int)floor(value / full * (width - 1) + 0.5) : 0;

	return at < 0 ? 0 : at >= width ? width - 1 : at;
}

void gauge_draw(const struct scene *scene, int track, struct canvas *canvas)
{
	const struct summary *summary = scene_summary(scene, scene->a, track);
	const struct metric *metric;
	struct value now;
	double low, middle, high, full;
	int width = canvas->width;

	if (!scene->a || track < 0)
		return;
	now = scene_track(scene, (size_t)track);
	metric = metric_at(scene->session->tracks[track].metric);
	if (!summary || !summary_quantile(summary, metric, 0.05, &low) ||
		!summary_quantile(summary, metric, 0.5, &middle) ||
		!summary_quantile(summary, metric, 0.95, &high)) {
		canvas_text(canvas, 0, 0, CELL_DIM, "no BEFORE");
		return;
	}
	full = high * 1.75;
	if (now.why == WHY_NONE && now.value <= 0 && full <= 0)
		return; /* idle: a gauge would only be noise */
	if (now.why == WHY_NONE && now.value > full)
		full = now.value;
	canvas_fill(canvas, (struct spot){0, 0, CELL_GRAPH}, width, '.');
	canvas_fill(
		canvas, (struct spot){0, place(low, full, width), CELL_GRAPH}, 1, '[');
	canvas_fill(
		canvas, (struct spot){0, place(high, full, width), CELL_GRAPH}, 1, ']');
	canvas_fill(canvas, (struct spot){0, place(middle, full, width), CELL_GRAPH}, 1,
		'|');
	if (now.why == WHY_NONE)
		canvas_fill(canvas,
			(struct spot){0, place(now.value, full, width), CELL_KEY}, 1,
			'*');
}
