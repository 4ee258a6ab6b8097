/*
 * make-session IN.csv OUT.weir [NAME=FROM,TO...]: a session from an export, for checks
 * from outside. IN.csv has the columns time,kind,device,metric,value,why in the order
 * of time, as `weir export` writes them; NAME=FROM,TO sets a window, in seconds from
 * the first time ("BEFORE" and "AFTER" have their roles).
 *
 * Weir stores counters, not figures: each figure is turned into the step of the
 * counters that gives it. Rates come out right to nine digits because the time between
 * two readings is chosen within a tick; where more devices than sources share a clock,
 * and for means per operation beside given operations, to the unit of the kernel's
 * counter. Where a device has no figure in a tick that others have, it is absent.
 */
#include "config.h"

#include "make_session.h"

#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BATCH = 5000
};

/* ---- the CSV ---- */

/* The next field of RFC 4180 to TO, cut at its size. */
static char *field(char *at, char *to, size_t size)
{
	bool quoted = *at == '"';
	size_t used = 0;

	at += quoted;
	while (*at && (quoted || *at != ',')) {
		if (quoted && *at == '"' && *++at != '"') {
			quoted = false;
			continue;
		}
		if (used + 1 < size)
			to[used++] = *at;
		at++;
	}
	to[used] = 0;
	return *at == ',' ? at + 1 : at;
}

static bool take_row(char *at, struct row *row)
{
	char time[40], *end;

	at = field(at, time, sizeof time);
	at = field(at, row->kind, sizeof row->kind);
	at = field(at, row->device, sizeof row->device);
	at = field(at, row->metric, sizeof row->metric);
	at = field(at, row->number, sizeof row->number);
	(void)field(at, row->why, sizeof row->why);
	row->time = strtod(time, &end);
	if (end == time || *end || !isfinite(row->time))
		return false;
	row->value = strtod(row->number, &end);
	return !*row->number || (!*end && isfinite(row->value) && row->value >= 0);
}

/* ---- ticks ---- */

static bool write_tick(struct maker *maker, double at)
{
	struct tick *tick = &maker->tick;
	bool full;

	tick->at = (nsec)llround(at * 1e6) * 1000;
	tick->mono = NSEC_PER_SEC + tick->at;
	tick->wall = (nsec)llround(maker->first * 1e6) * 1000 + tick->at;
	for (size_t s = 0; s < SOURCES_MAX; s++)
		tick->stamps[s] =
			NSEC_PER_SEC + (nsec)llround(maker->clock[s] * NSEC_PER_SEC);
	tick->gap = maker->ticks ? GAP_NONE : GAP_RUN;
	tick->run = 1;
	tick->interval = (nsec)llround(maker->interval * 1e3) * NSEC_PER_MSEC;
	tick->catalog = &maker->catalog;
	tick->readings = maker->readings;
	if (maker->ticks % BATCH == 0 && maker->ticks &&
		(!store_end(maker->store, &maker->fault) ||
			!store_begin(maker->store, &maker->fault)))
		return false;
	maker->ticks++;
	buffer_clear(&maker->bytes);
	full = tick_encode(&maker->encoder, tick, false, &maker->bytes);
	return store_tick(maker->store, tick->at, full, maker->bytes.data,
		maker->bytes.size, &maker->fault);
}

/* The rows of one time are complete. Without a tick before no rate can be made: where
 * the first rows hold any, one is put before them. */
static bool take_time(struct maker *maker)
{
	double at = maker->rows[0].time - maker->first;
	bool rates = false;

	for (size_t i = 0; i < maker->line_count; i++)
		maker->lines[i].given = false;
	for (size_t i = 0; i < maker->row_count; i++) {
		const struct row *row = &maker->rows[i];
		struct line *line = line_of(maker, row);

		maker->unknown += !line;
		if (!line)
			continue;
		line->given = true;
		line->value = row->value;
		line->why = *row->number ? WHY_NONE : why_of(row->why);
		rates |= !line->why && line->metric->form != METRIC_GAUGE;
	}
	for (size_t i = 0; i < maker->catalog.series_count; i++)
		maker->moved[i] = (double)NAN;
	maker->row_count = 0;
	if (!maker->ticks && rates) {
		maker->first -= maker->interval;
		at += maker->interval;
		maker->lead = maker->interval;
		if (!write_tick(maker, 0))
			return false;
	}
	set_clocks(maker, at);
	move_counters(maker);
	return write_tick(maker, at);
}

static bool take_line(struct maker *maker, char *text)
{
	struct row row;
	bool another;

	if (!take_row(text, &row))
		return false;
	another = maker->row_count && row.time > maker->rows[0].time;
	if (!maker->ticks && !maker->row_count)
		maker->first = row.time;
	if (another && !maker->ticks)
		maker->interval = row.time - maker->rows[0].time;
	if (another && !take_time(maker))
		return true; /* MAKER->fault says it */
	xgrow(&maker->rows, &maker->row_room, maker->row_count + 1,
		sizeof *maker->rows);
	maker->rows[maker->row_count++] = row;
	return true;
}

static bool read_csv(struct maker *maker, const char *path)
{
	FILE *file = fopen(path, "re");
	char text[1024];
	size_t number = 0;
	bool good = file != NULL;

	if (!file)
		return fault_set(&maker->fault, "cannot open %s", path);
	while (good && !*maker->fault.text && fgets(text, sizeof text, file)) {
		text[strcspn(text, "\r\n")] = 0;
		if (++number == 1 && !strncmp(text, "time,", 5))
			continue;
		good = take_line(maker, text) ||
		       fault_set(&maker->fault,
			       "%s:%zu: not time,kind,device,metric,value,why", path,
			       number);
	}
	(void)fclose(file); /* only read */
	if (good && maker->row_count && !*maker->fault.text)
		(void)take_time(maker); /* the fault says it */
	if (!*maker->fault.text && !maker->ticks)
		return fault_set(&maker->fault, "%s holds no figure", path);
	return !*maker->fault.text;
}

/* ---- the file ---- */

/* NAME=FROM,TO */
static bool add_window(struct windows *windows, const char *word, nsec first)
{
	struct window window = {.id = (uint32_t)windows->count + 1,
		.role = ROLE_OTHER,
		.backwards = true};
	double from, to;

	if (sscanf(word, "%63[^=]=%lf,%lf", window.name, &from, &to) != 3 ||
		!window_name_valid(window.name) || !(to > from))
		return false;
	if (!strcmp(window.name, "BEFORE"))
		window.role = ROLE_BEFORE;
	else if (!strncmp(window.name, "AFTER", 5))
		window.role = ROLE_AFTER;
	window.from = first + (nsec)llround(from * NSEC_PER_SEC);
	window.to = first + (nsec)llround(to * NSEC_PER_SEC);
	windows_put(windows, &window);
	return true;
}

static bool finish(struct maker *maker, char **words, double csv_first)
{
	struct run run = {.number = 1,
		.wall = (nsec)llround(maker->first * 1e6) * 1000,
		.host = "made",
		.kernel = "made",
		.version = PACKAGE_VERSION};
	nsec first = (nsec)llround((csv_first - maker->first) * NSEC_PER_SEC);
	struct windows windows = {0};
	bool good = store_end(maker->store, &maker->fault), more = good;

	for (; good && *words; words++)
		good = add_window(&windows, *words, first) ||
		       fault_set(&maker->fault, "%s: not NAME=FROM,TO", *words);
	good = good && store_run(maker->store, &run, &maker->fault) &&
	       store_windows(maker->store, &windows, &maker->fault);
	while (good && more)
		good = store_follow(maker->store, BATCH, &more, &maker->fault);
	windows_fini(&windows);
	return good;
}

static bool make(struct maker *maker, char **words)
{
	const char *slash = strrchr(words[1], '/');
	char name[WINDOW_NAME];
	double csv_first;

	(void)text_copy(name, sizeof name, slash ? slash + 1 : words[1]);
	if (strstr(name, ".weir"))
		*strstr(name, ".weir") = 0;
	maker->interval = 1;
	maker->store = store_open(words[1], STORE_CREATE, &maker->fault);
	if (!maker->store ||
		!store_meta_set(maker->store, "name", name, &maker->fault) ||
		!store_begin(maker->store, &maker->fault) || !read_csv(maker, words[0]))
		return false;
	/* the first time of the CSV, whether a tick was put before it or not */
	csv_first = maker->first + maker->lead;
	return finish(maker, words + 2, csv_first);
}

int main(int argc, char **argv)
{
	struct maker maker = {.ticks = 0};
	bool good;

	if (argc < 3) {
		fprintf(stderr,
			"usage: make-session IN.csv OUT.weir [NAME=FROM,TO...]\n");
		return 2;
	}
	good = make(&maker, argv + 1);
	if (!good)
		fprintf(stderr, "make-session: %s\n", maker.fault.text);
	if (maker.unknown)
		fprintf(stderr, "make-session: %zu rows of unknown metrics left out\n",
			maker.unknown);
	store_close(maker.store);
	catalog_fini(&maker.catalog);
	tick_encoder_fini(&maker.encoder);
	buffer_fini(&maker.bytes);
	free(maker.readings);
	free(maker.moved);
	free(maker.lines);
	free(maker.rows);
	return good ? 0 : 1;
}
