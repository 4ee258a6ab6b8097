/* Rows of an export; see the header. The titles, the order and the meaning of the
 * columns are fixed (doc/report-json.md); numbers are written without a locale. */
#include "config.h"

#include "app/export.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void export_rows_fini(struct export_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->list[i].text);
	free(rows->list);
	rows->list = NULL;
	rows->count = 0;
}

void export_head(const struct export_rows *rows, struct buffer *out)
{
	static const char head[] = "time,kind,device,metric,value,why\n";

	if (rows->format == EXPORT_CSV)
		buffer_add(out, head, sizeof head - 1);
}

/* RFC 4180: quoted where it has to be, a quote doubled. */
static void csv_field(struct buffer *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		buffer_add(out, text, strlen(text));
		return;
	}
	buffer_byte(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			buffer_byte(out, '"');
		buffer_byte(out, (uint8_t)*text);
	}
	buffer_byte(out, '"');
}

/* Names are clean text (base/text.h): only these two need an escape. */
static void json_field(struct buffer *out, const char *text)
{
	buffer_byte(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buffer_byte(out, '\\');
		buffer_byte(out, (uint8_t)*text);
	}
	buffer_byte(out, '"');
}

static void make_text(struct export_row *row, enum export_format format,
	const struct session *session)
{
	const struct track *track = &session->tracks[row->track];
	const struct subject *subject = &session->subjects[track->subject];
	const struct metric *metric = metric_at(track->metric);
	struct buffer text = {0};

	if (format == EXPORT_CSV) {
		buffer_format(&text, ",%s,", kind_word(subject->kind));
		csv_field(&text, subject->name);
		buffer_format(&text, ",%s,", metric->id);
	} else {
		buffer_format(&text,
			",\"kind\":\"%s\",\"device\":", kind_word(subject->kind));
		json_field(&text, subject->name);
		buffer_format(&text, ",\"metric\":\"%s\",\"value\":", metric->id);
	}
	row->text = (char *)text.data;
	row->size = text.size;
}

/* What the rows of a tick are ordered by. */
struct place {
	enum kind kind;
	const char *device, *metric;
	size_t track;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = (a->kind > b->kind) - (a->kind < b->kind);

	if (!order)
		order = strcmp(a->device, b->device);
	if (!order)
		order = strcmp(a->metric, b->metric);
	return order ? order : (a->track > b->track) - (a->track < b->track);
}

static void make_rows(struct export_rows *rows, const struct session *session)
{
	size_t count = session->track_count;
	struct place *places = xarray(count + 1, sizeof *places);

	for (size_t i = 0; i < count; i++) {
		const struct track *track = &session->tracks[i];
		const struct subject *subject = &session->subjects[track->subject];

		places[i] = (struct place){.kind = subject->kind,
			.device = subject->name,
			.metric = metric_at(track->metric)->id,
			.track = i};
	}
	qsort(places, count, sizeof *places, compare_places);
	export_rows_fini(rows);
	rows->list = xarray(count, sizeof *rows->list);
	rows->count = count;
	for (size_t i = 0; i < count; i++) {
		rows->list[i].track = places[i].track;
		make_text(&rows->list[i], rows->format, session);
	}
	free(places);
}

/* Most figures are 0 or whole; those are written without the cost of printf. */
static void number(struct buffer *out, double value)
{
	char text[32];
	size_t at = sizeof text;
	uint32_t whole;

	if (!(value >= 0 && value < 1e9 && value == floor(value))) {
		buffer_format(out, "%.9g", value);
		return;
	}
	whole = (uint32_t)value;
	do
		text[--at] = (char)('0' + whole % 10);
	while (whole /= 10);
	buffer_add(out, text + at, sizeof text - at);
}

static void write_value(
	enum export_format format, const struct value *value, struct buffer *out)
{
	bool known = value->why == WHY_NONE && isfinite(value->value);
	const char *why = why_word((enum why)value->why);

	if (known)
		number(out, value->value);
	if (format == EXPORT_CSV && known)
		buffer_add(out, ",\n", 2);
	else if (format == EXPORT_CSV)
		buffer_format(out, ",%s\n", why);
	else if (known)
		buffer_add(out, ",\"why\":null}\n", 13);
	else
		buffer_format(out, "null,\"why\":\"%s\"}\n", why);
}

static int write_time(enum export_format format, nsec wall, char *text, size_t size)
{
	int64_t ms = wall / NSEC_PER_MSEC;

	return snprintf(text, size, "%s%" PRId64 ".%03d",
		format == EXPORT_JSON ? "{\"time\":" : "", ms / 1000, (int)(ms % 1000));
}

void export_tick(struct export_rows *rows, const struct session *session, nsec wall,
	struct buffer *out)
{
	char time[64];
	int size = write_time(rows->format, wall, time, sizeof time);

	if (rows->stale || rows->count != session->track_count)
		make_rows(rows, session);
	rows->stale = false;
	for (size_t i = 0; i < rows->count; i++) {
		const struct export_row *row = &rows->list[i];
		const struct value *value = &session->tracks[row->track].now;

		if (value->why == WHY_ABSENT) /* not there: no row */
			continue;
		buffer_add(out, time, (size_t)size);
		buffer_add(out, row->text, row->size);
		write_value(rows->format, value, out);
	}
}

void export_source(const struct export_rows *rows, const struct fact *fact, nsec wall,
	struct buffer *out)
{
	char time[64];
	int size = write_time(rows->format, wall, time, sizeof time);
	bool nothing = fact->why == WHY_NONE;

	buffer_add(out, time, (size_t)size);
	if (rows->format == EXPORT_CSV) {
		buffer_format(out, ",%s,", kind_word(fact->kind));
		csv_field(out, fact->name);
		buffer_format(out, ",source.serves,%s,", nothing ? "" : "1");
		csv_field(out, fact->value);
		buffer_byte(out, '\n');
		return;
	}
	buffer_format(out, ",\"kind\":\"%s\",\"device\":", kind_word(fact->kind));
	json_field(out, fact->name);
	buffer_format(out, ",\"metric\":\"source.serves\",\"value\":%s,\"why\":",
		nothing ? "null" : "1");
	if (nothing)
		json_field(out, fact->value);
	else
		buffer_add(out, "null", 4);
	buffer_add(out, "}\n", 2);
}
