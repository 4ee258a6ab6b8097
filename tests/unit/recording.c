/* A made-up recording; see the header. */
#include "config.h"

#include "recording.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void begin_run(struct recording *recording, uint32_t number, nsec from)
{
	struct run run = {
		.number = number, .from = from, .wall = RECORDING_WALL + from};

	(void)text_copy(run.host, sizeof run.host, "db07.example.net");
	(void)text_copy(run.kernel, sizeof run.kernel, "6.12.48-amd64");
	(void)text_format(run.boot_id, sizeof run.boot_id,
		"5f1c00%02u-0000-4000-8000-0000000000e2", (unsigned)number);
	(void)text_copy(run.version, sizeof run.version, "0.1.0");
	session_run(recording->session, &run);
	recording->tick.run = number;
}

void recording_init(struct recording *recording, size_t ring)
{
	*recording = (struct recording){.session = session_new("demo", ring)};
	recording->tick.interval = NSEC_PER_SEC;
	recording->tick.zone_minutes = 120;
	recording->tick.mono = 1000 * NSEC_PER_SEC;
	recording->tick.at = -NSEC_PER_SEC; /* the first tick is at 0 */
	recording->tick.gap = GAP_RUN;
	begin_run(recording, 1, 0);
}

void recording_fini(struct recording *recording)
{
	session_free(recording->session);
	catalog_fini(&recording->catalog);
	tick_encoder_fini(&recording->encoder);
	tick_decoder_fini(&recording->decoder);
	buffer_fini(&recording->bytes);
}

uint32_t recording_subject(struct recording *recording, enum kind kind,
	const char *name, const char *label, const char *detail)
{
	struct subject subject = {.kind = kind};
	bool changed;

	(void)text_copy(subject.name, sizeof subject.name, name);
	(void)text_copy(subject.label, sizeof subject.label, label);
	(void)text_copy(subject.detail, sizeof subject.detail, detail);
	(void)text_format(subject.id, sizeof subject.id, "id-%s", name);
	return catalog_subject(&recording->catalog, &subject, &changed);
}

size_t recording_series(
	struct recording *recording, uint32_t subject, unsigned raw, uint64_t step)
{
	struct series series = {.subject = subject, .raw = (uint16_t)raw};
	size_t at = catalog_series(&recording->catalog, series);

	assert_true(at < RECORDING_SERIES);
	recording->step[at] = step;
	return at;
}

static void grow(struct recording *recording)
{
	for (size_t i = 0; i < recording->catalog.series_count; i++) {
		bool gauge = raw_form(recording->catalog.series[i].raw) == RAW_GAUGE;

		if (gauge)
			recording->readings[i].raw = 0;
		recording->readings[i].raw += recording->step[i];
	}
}

static void put(struct recording *recording, nsec step)
{
	struct tick *tick = &recording->tick;
	struct fault fault;
	bool have, full;

	tick->at += step;
	tick->mono += step;
	tick->wall = RECORDING_WALL + tick->at;
	tick->stamps[0] = tick->mono;
	tick->catalog = &recording->catalog;
	tick->readings = recording->readings;
	buffer_clear(&recording->bytes);
	full = tick_encode(&recording->encoder, tick, false, &recording->bytes);
	assert_true(tick_decode(&recording->decoder, recording->bytes.data,
		recording->bytes.size, &have, &fault));
	assert_true(have);
	session_put(recording->session, &recording->decoder);
	if (recording->each)
		recording->each(recording, &recording->bytes, full);
	tick->gap = GAP_NONE;
}

void recording_ticks(struct recording *recording, size_t count)
{
	while (count--) {
		grow(recording);
		put(recording, NSEC_PER_SEC);
	}
}

void recording_gap(struct recording *recording, enum tick_gap gap, nsec length)
{
	recording->tick.gap = gap;
	grow(recording);
	if (gap == GAP_RUN) {
		for (size_t i = 0; i < recording->catalog.series_count; i++)
			recording->readings[i].raw = 0;
		tick_encoder_fini(&recording->encoder);
		recording->encoder = (struct tick_encoder){.started = false};
		begin_run(recording, recording->tick.run + 1,
			recording->tick.at + length);
	}
	put(recording, length);
}

uint32_t recording_window(struct recording *recording, enum role role, const char *name,
	int64_t from, int64_t to)
{
	struct window window = {.id = recording->session->windows.last_id + 1,
		.role = role,
		.from = from * NSEC_PER_SEC,
		.to = to ? to * NSEC_PER_SEC : WINDOW_OPEN};

	(void)text_copy(window.name, sizeof window.name, name);
	(void)text_copy(window.author, sizeof window.author, "admin");
	if (role == ROLE_RUN)
		(void)text_format(window.command, sizeof window.command,
			"cp -a /srv/small /mnt/%s", name);
	assert_true(session_window(recording->session, &window));
	recording->session->windows.last_id = window.id;
	return window.id;
}

void recording_note(struct recording *recording, enum note_kind kind, int64_t at,
	const char *text, const char *body)
{
	struct note note = {.id = (uint32_t)recording->session->note_count + 1,
		.kind = kind,
		.at = at * NSEC_PER_SEC};

	(void)text_copy(note.text, sizeof note.text, text);
	if (kind != NOTE_EVENT)
		(void)text_copy(note.author, sizeof note.author, "admin");
	if (body)
		note.body = (char *)(uintptr_t)body; /* copied */
	session_note(recording->session, &note);
}
