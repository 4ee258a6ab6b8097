/* `weir export`: the figures of a session as CSV or JSON lines, or the session itself
 * as one closed file. Streams: memory does not grow with the session. */
#include "config.h"

#include "app/commands.h"
#include "app/export.h"
#include "app/output.h"
#include "app/place.h"
#include "base/clock.h"
#include "store/store.h"

#include <string.h>

enum {
	CHUNK = 1 << 16 /* bytes written at once */
};

/* clang-format off */
static const struct option_info options_export[] = {
	{"format", 0, "csv|json|session", "lines of CSV or JSON, or the file itself"},
	{"from", 0, "T", "no tick before T"},
	{"to", 0, "T", "no tick after T"},
	{"output", 'o', "FILE", "a new file instead of standard output"},
	{NULL, 0, NULL, NULL},
};
/* clang-format on */

struct export
{
	struct session *session;
	struct tick_decoder decoder;
	struct export_rows rows;
	struct output output;
	struct buffer buffer;
	nsec from, to; /* session time */
	nsec wall;     /* of the tick */
	size_t facts;  /* of the session, told so far */
	bool begun;
	struct fault *fault;
	bool failed;
};

static void tell_source(void *context, const struct fact *fact)
{
	struct export *export = context;

	if (fact->kind == KIND_SOURCE && !strcmp(fact->key, FACT_NOTHING))
		export_source(&export->rows, fact, export->wall, &export->buffer);
}

/* What cannot be seen: at the first tick all of it, then what is new. */
static void tell_sources(struct export *export, nsec at)
{
	const struct facts *facts = &export->session->facts;

	if (!export->begun)
		facts_each(facts, at, tell_source, export);
	for (; export->facts < facts->count; export->facts++) {
		struct fact fact = facts_at_index(facts, export->facts);

		if (fact.at > at)
			break;
		if (export->begun)
			tell_source(export, &fact);
	}
	export->begun = true;
}

static bool take_tick(
	void *context, nsec at, bool full, const uint8_t *data, size_t size)
{
	struct export *export = context;
	bool have;

	/* A damaged tick costs those up to the next full one: it is a gap. */
	if (!tick_decode(&export->decoder, data, size, &have, NULL) || !have)
		return true;
	session_put(export->session, &export->decoder);
	export->rows.stale |= full; /* a device may have another name from here on */
	if (at < export->from || at > export->to)
		return true;
	export->wall = session_wall(export->session, at);
	export_tick(&export->rows, export->session, export->wall, &export->buffer);
	tell_sources(export, at);
	export->failed = export->buffer.size >= CHUNK &&
			 !output_write(&export->output, &export->buffer, export->fault);
	return !export->failed;
}

/* Session time of a moment on the wall clock, by the last run that had begun then. */
static nsec session_time(const struct session *session, nsec wall)
{
	const struct run *run = NULL;

	for (size_t i = 0; i < session->run_count; i++)
		if (!run || session->runs[i].wall <= wall)
			run = &session->runs[i];
	return run ? run->from + (wall - run->wall) : wall;
}

/* FALLBACK where the option is not given. */
static bool time_option(const struct arguments *arguments, const char *name, nsec *wall,
	nsec fallback, struct fault *fault)
{
	const char *text = argument(arguments, name);
	struct instant now;

	*wall = fallback;
	if (!text)
		return true;
	clock_read(&now);
	return parse_time(text, now.wall, wall, fault);
}

static bool walls(
	const struct arguments *arguments, nsec *from, nsec *to, struct fault *fault)
{
	return time_option(arguments, "from", from, INT64_MIN, fault) &&
	       time_option(arguments, "to", to, INT64_MAX, fault) &&
	       (*from <= *to || fault_set(fault, "--from is later than --to"));
}

static bool bounds(
	struct export *export, const struct arguments *arguments, struct fault *fault)
{
	nsec from, to;

	if (!walls(arguments, &from, &to, fault))
		return false;
	export->from = from == INT64_MIN ? from : session_time(export->session, from);
	export->to = to == INT64_MAX ? to : session_time(export->session, to);
	return true;
}

/* The session gets runs and facts but no windows: nothing is to be summed up here. */
static bool load_runs(struct store *store, struct session *session, struct fault *fault)
{
	struct session *whole = session_new(session->name, 0);
	bool done = store_load(store, whole, fault);

	for (size_t i = 0; i < whole->run_count; i++)
		session_run(session, &whole->runs[i]);
	for (size_t i = 0; i < whole->facts.count; i++) {
		struct fact fact = facts_at_index(&whole->facts, i);

		(void)session_fact(session, &fact); /* as new as it was there */
	}
	session_free(whole);
	return done;
}

static bool stream(struct store *store, struct export *export, struct fault *fault)
{
	nsec first, last;

	export->fault = fault;
	export_head(&export->rows, &export->buffer);
	if (store_span(store, &first, &last)) {
		/* One tick earlier, so that the first one asked for has its rates. */
		nsec start = export->from > first ? export->from - 1 : first;

		if (!store_ticks(store, start, export->to, take_tick, export, fault))
			return false;
	}
	return !export->failed && output_write(&export->output, &export->buffer, fault);
}

static bool export_ticks(struct store *store, struct export *export,
	const struct arguments *arguments, struct fault *fault)
{
	bool done;

	if (!load_runs(store, export->session, fault) ||
		!bounds(export, arguments, fault) ||
		!output_open(&export->output, argument(arguments, "output"), fault))
		return false;
	done = stream(store, export, fault);
	return output_close(&export->output, done, fault) && done;
}

static bool export_lines(struct store *store, enum export_format format,
	const struct arguments *arguments, struct fault *fault)
{
	struct export export = {
		.session = session_new("", 0), .rows = {.format = format}};
	bool done = export_ticks(store, &export, arguments, fault);

	session_free(export.session);
	tick_decoder_fini(&export.decoder);
	export_rows_fini(&export.rows);
	buffer_fini(&export.buffer);
	return done;
}

static bool export_csv(
	struct store *store, const struct arguments *arguments, struct fault *fault)
{
	return export_lines(store, EXPORT_CSV, arguments, fault);
}

static bool export_json(
	struct store *store, const struct arguments *arguments, struct fault *fault)
{
	return export_lines(store, EXPORT_JSON, arguments, fault);
}

static bool export_session(
	struct store *store, const struct arguments *arguments, struct fault *fault)
{
	return store_copy(store, argument(arguments, "output"), fault);
}

static const struct format {
	const char *word;
	bool (*run)(struct store *, const struct arguments *, struct fault *);
	bool whole; /* takes no times, needs a file */
} formats[] = {
	{"csv", export_csv, false},
	{"json", export_json, false},
	{"session", export_session, true},
};

static const struct format *find_format(const char *word)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!word || !strcmp(word, formats[i].word))
			return &formats[i];
	return NULL;
}

static int run(const struct arguments *arguments)
{
	const struct format *format = find_format(argument(arguments, "format"));
	struct place place;
	struct store *store;
	struct fault fault;
	nsec from, to;
	bool done;

	if (!format)
		return usage_error(arguments->command,
			"unknown format '%s'; there are: csv, json, session",
			argument(arguments, "format"));
	if (format->whole && !argument_given(arguments, "output"))
		return usage_error(
			arguments->command, "--format session needs -o FILE");
	if (format->whole &&
		(argument_given(arguments, "from") || argument_given(arguments, "to")))
		return usage_error(arguments->command,
			"--format session is the whole session: no --from, no --to");
	if (!walls(arguments, &from, &to, &fault))
		return usage_error(arguments->command, "%s", fault.text);
	if (!place_find(argument_session(arguments), &place, &fault))
		return failure(&fault);
	store = store_open(place.file, STORE_READ, &fault);
	if (!store)
		return failure(&fault);
	done = format->run(store, arguments, &fault) && !store_damage(store, &fault);
	store_close(store);
	return done ? EXIT_DONE : failure(&fault);
}

const struct command command_export = {
	.name = "export",
	.words = "[SESSION]",
	.about = "write the figures of a session, or the session, for others",
	.more = "CSV has the columns time,kind,device,metric,value,why: time in "
		"seconds "
		"since 1970, values in base units (bytes, seconds, per second), rows "
		"in the "
		"order of time, kind, device, metric. Where there is no figure value "
		"is "
		"empty and why says the reason. Rows of kind source say at the first "
		"tick, and when it changes, which sources have no readings and why. "
		"JSON is one object per line with the "
		"same "
		"names.",
	.options = {options_session, options_export},
	.most_words = 1,
	.run = run,
};
