/* From figures to the counters that give them; see make_session.c. */
#include "config.h"

#include "make_session.h"

#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum {
	UNSAID_OPS = 100000 /* operations of a tick where only their mean is given */
};

/* ---- subjects, series, lines ---- */

static uint32_t series_of(struct maker *maker, uint32_t subject, unsigned raw)
{
	size_t before = maker->catalog.series_count;
	uint32_t at;

	for (size_t i = 0; i < before; i++)
		if (maker->catalog.series[i].subject == subject &&
			maker->catalog.series[i].raw == raw)
			return (uint32_t)i;
	/* as many clocks as there are, so that few figures share one */
	at = catalog_series(&maker->catalog, (struct series){subject, (uint16_t)raw,
						     (uint8_t)(before % SOURCES_MAX)});
	xgrow(&maker->readings, &maker->reading_room, maker->catalog.series_count,
		sizeof *maker->readings);
	xgrow(&maker->moved, &maker->moved_room, maker->catalog.series_count,
		sizeof *maker->moved);
	maker->readings[at] = (struct reading){0, WHY_NONE};
	maker->moved[at] = (double)NAN;
	return at;
}

static struct line *add_line(
	struct maker *maker, uint32_t subject, const struct metric *metric)
{
	struct line *line;

	xgrow(&maker->lines, &maker->line_room, maker->line_count + 1,
		sizeof *maker->lines);
	line = &maker->lines[maker->line_count++];
	*line = (struct line){.metric = metric, .subject = subject, .den = UINT32_MAX};
	line->num = series_of(maker, subject, metric->num);
	if (metric_has_den(metric))
		line->den = series_of(maker, subject, metric->den);
	return line;
}

struct line *line_of(struct maker *maker, const struct row *row)
{
	struct subject subject = {.kind = KIND_HOST};
	int metric = metric_find(row->metric);
	uint32_t at;
	bool changed;

	if (metric < 0 || !kind_find(row->kind, &subject.kind) ||
		metric_at((unsigned)metric)->kind != subject.kind)
		return NULL;
	(void)text_clean(subject.name, sizeof subject.name, row->device);
	at = catalog_subject(&maker->catalog, &subject, &changed);
	for (size_t i = 0; i < maker->line_count; i++)
		if (maker->lines[i].subject == at &&
			maker->lines[i].metric == metric_at((unsigned)metric))
			return &maker->lines[i];
	return add_line(maker, at, metric_at((unsigned)metric));
}

uint8_t why_of(const char *word)
{
	for (unsigned why = WHY_NONE + 1; why < WHY_COUNT; why++)
		if (!strcmp(why_word(why), word))
			return (uint8_t)why;
	return WHY_ABSENT;
}

/* ---- from figures to counters ---- */

void set_clocks(struct maker *maker, double at)
{
	bool led[SOURCES_MAX] = {false};

	for (size_t s = 0; s < SOURCES_MAX; s++)
		maker->seconds[s] = fmax(at - maker->clock[s], 1e-6);
	for (size_t i = 0; i < maker->line_count; i++) {
		const struct line *line = &maker->lines[i];
		uint8_t s = maker->catalog.series[line->num].source;
		double wanted = line->value / line->metric->scale;
		double due = maker->seconds[s], moved;

		if (!line->given || line->why || !(wanted > 0) || led[s] ||
			line->metric->form == METRIC_GAUGE ||
			line->metric->form == METRIC_RATIO)
			continue;
		led[s] = true;
		moved = round(wanted * due + maker->carry[s]);
		maker->carry[s] = moved < 1 ? maker->carry[s] + wanted * due : 0;
		if (moved >= 1 && fabs(moved / wanted - due) < due / 2)
			maker->seconds[s] = moved / wanted;
		maker->moved[line->num] = moved;
	}
	for (size_t s = 0; s < SOURCES_MAX; s++)
		maker->clock[s] += maker->seconds[s];
}

static bool is_said(const struct maker *maker, uint32_t series)
{
	return !isnan(maker->moved[series]);
}

static void move_rate(struct maker *maker, const struct line *line)
{
	double wanted = line->value / line->metric->scale;
	uint8_t source = maker->catalog.series[line->num].source;

	if (!is_said(maker, line->num))
		maker->moved[line->num] = round(wanted * maker->seconds[source]);
}

static void move_sum(struct maker *maker, const struct line *line)
{
	bool parts = is_said(maker, line->den);

	if (!parts)
		maker->moved[line->den] = 0;
	if (!parts)
		move_rate(maker, line);
}

static void move_ratio(struct maker *maker, const struct line *line)
{
	if (!is_said(maker, line->den))
		maker->moved[line->den] = UNSAID_OPS;
	maker->moved[line->num] =
		round(line->value / line->metric->scale * maker->moved[line->den]);
}

static void move_gauge(struct maker *maker, const struct line *line)
{
	maker->moved[line->num] = round(line->value / line->metric->scale);
	maker->readings[line->num].raw = 0;
}

static const struct {
	enum metric_form form;
	void (*move)(struct maker *, const struct line *);
} moves[] = {{METRIC_GAUGE, move_gauge}, {METRIC_RATE, move_rate},
	{METRIC_QUEUE, move_rate}, {METRIC_SUM, move_sum}, {METRIC_RATIO, move_ratio}};

/* A figure that is not there: what a source can say it says; a counter that is set
 * back is a reset; the others follow from the ticks. */
static void leave_out(struct maker *maker, const struct line *line)
{
	struct reading *reading = &maker->readings[line->num];
	bool said = line->why == WHY_OFF || line->why == WHY_UNSUPPORTED ||
		    line->why == WHY_DENIED || line->why == WHY_ABSENT ||
		    line->why == WHY_LATE;

	if (is_said(maker, line->num))
		return;
	if (said)
		reading->why = line->why;
	else if (line->why == WHY_RESET)
		reading->raw /= 2;
}

void move_counters(struct maker *maker)
{
	for (size_t f = 0; f < sizeof moves / sizeof *moves; f++)
		for (size_t i = 0; i < maker->line_count; i++) {
			const struct line *line = &maker->lines[i];

			if (line->metric->form == moves[f].form && line->given &&
				line->why == WHY_NONE)
				moves[f].move(maker, line);
		}
	for (size_t i = 0; i < maker->catalog.series_count; i++) {
		maker->readings[i].why = WHY_NONE;
		if (is_said(maker, (uint32_t)i))
			maker->readings[i].raw += (uint64_t)maker->moved[i];
	}
	for (size_t i = 0; i < maker->line_count; i++)
		if (!maker->lines[i].given || maker->lines[i].why != WHY_NONE)
			leave_out(maker, &maker->lines[i]);
}
