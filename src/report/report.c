/* Which windows a report is about, and its sections in order; see the header. */
#include "config.h"

#include "report/report.h"

#include "report/figures.h"
#include "report/redact.h"
#include "report/runs.h"

#include "base/text.h"
#include "core/unit.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The order of the page. */
static const struct section *const sections[] = {
	&section_header,
	&section_result,
	&section_disks,
	&section_mounts,
	&section_network,
	&section_peers,
	&section_transports,
	&section_host,
	&section_packets,
	&section_notseen,
	&section_changed,
	&section_matched,
	&section_notes,
	&section_method,
};

static const struct writer_ops *const formats[REPORT_FORMATS] = {
	[REPORT_TEXT] = &writer_text,
	[REPORT_MD] = &writer_md,
	[REPORT_CSV] = &writer_csv,
	[REPORT_JSON] = &writer_json,
};

enum {
	PATH_SHOWN = 1024
};

/* Sessions longer than this have times with their date. */
#define DATED_FROM (20 * 3600 * NSEC_PER_SEC)

/* No window of a person gets this id: they count from 1. */
static const uint32_t whole_id = UINT32_MAX;

bool report_format_find(
	const char *word, enum report_format *format, struct fault *fault)
{
	char known[80] = "";

	for (size_t i = 0; i < REPORT_FORMATS; i++) {
		size_t used = strlen(known);

		if (!strcmp(word, formats[i]->format)) {
			*format = (enum report_format)i;
			return true;
		}
		(void)text_format(known + used, sizeof known - used, "%s%s",
			used ? ", " : "", formats[i]->format);
	}
	return fault_set(
		fault, "unknown report format '%s'; there are: %s", word, known);
}

/* The window called NAME that has exactly LATER windows of that name after it. */
static const struct window *from_last(
	const struct windows *windows, const char *name, size_t later)
{
	for (size_t i = windows->count; i-- > 0;)
		if (!strcasecmp(windows->list[i].name, name) && later-- == 0)
			return &windows->list[i];
	return NULL;
}

static bool unknown_window(
	const struct windows *windows, const char *name, struct fault *fault)
{
	char names[200] = "";

	for (size_t i = 0; i < windows->count; i++) {
		size_t used = strlen(names);

		if (from_last(windows, windows->list[i].name, 0) != &windows->list[i])
			continue; /* each name once */
		(void)text_format(names + used, sizeof names - used, "%s%s",
			used ? ", " : "", windows->list[i].name);
	}
	return fault_set(
		fault, "no window '%s'; there are: %s", name, *names ? names : "none");
}

static size_t mentions(const char *const *names, size_t count, const char *name)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += !strcasecmp(names[i], name);
	return found;
}

static bool choose_by_name(const struct windows *windows, const char *const *names,
	size_t count, struct report_options *options, struct fault *fault)
{
	if (count > REPORT_WINDOWS)
		return fault_set(fault, "a report takes at most %d windows",
			(int)REPORT_WINDOWS);
	for (size_t i = 0; i < count; i++) {
		size_t later = mentions(names + i + 1, count - i - 1, names[i]);
		const struct window *window = from_last(windows, names[i], later);

		if (later && options->pool)
			return fault_set(fault,
				"'%s' is given twice: with --pool each name stands for "
				"all of its windows",
				names[i]);
		if (!window)
			return unknown_window(windows, names[i], fault);
		options->windows[options->window_count++] = window->id;
	}
	return true;
}

/* The last one before END that is not about the change itself, nor called NAME. */
static const struct window *comparable_before(
	const struct windows *windows, size_t end, const char *name)
{
	while (end-- > 0)
		if (windows->list[end].role != ROLE_CHANGE &&
			strcasecmp(windows->list[end].name, name) != 0)
			return &windows->list[end];
	return NULL;
}

/* The last two; of commands that of another name, if there is one. */
static void choose_last(
	const struct windows *windows, const struct window **a, const struct window **b)
{
	size_t at;

	*a = NULL;
	*b = comparable_before(windows, windows->count, "");
	if (!*b)
		return;
	at = (size_t)(*b - windows->list);
	if ((*b)->role == ROLE_RUN)
		*a = comparable_before(windows, at, (*b)->name);
	if (!*a)
		*a = comparable_before(windows, at, "");
}

static void choose_default(
	const struct windows *windows, struct report_options *options)
{
	const struct window *a = windows_newest(windows, ROLE_BEFORE);
	const struct window *b = windows_newest(windows, ROLE_AFTER);

	if (!a || !b || (!options->pool && a->from > b->from))
		choose_last(windows, &a, &b);
	if (a)
		options->windows[options->window_count++] = a->id;
	if (b)
		options->windows[options->window_count++] = b->id;
}

bool report_choose(const struct session *session, const char *const *names,
	size_t count, struct report_options *options, struct fault *fault)
{
	options->window_count = 0;
	if (count)
		return choose_by_name(&session->windows, names, count, options, fault);
	choose_default(&session->windows, options);
	return true;
}

struct window report_whole(nsec from, nsec to)
{
	return (struct window){.id = whole_id,
		.role = ROLE_OTHER,
		.name = "SESSION",
		.from = from,
		.to = to,
		.backwards = true};
}

/* Finds the windows of the comparison. False: the session has no such window. */
static bool take_windows(struct comparison *comparison, struct fault *fault)
{
	const struct report_options *options = comparison->options;

	for (size_t i = 0; i < options->window_count; i++) {
		const struct window *window = windows_by_id(
			&comparison->session->windows, options->windows[i]);

		if (!window)
			return fault_set(fault, "window %u is not there any more",
				(unsigned)options->windows[i]);
		comparison->windows[i] = window;
		comparison->whole = window->id == whole_id;
	}
	comparison->window_count = options->window_count;
	comparison->dated = comparison->last > DATED_FROM;
	return true;
}

static bool write_sections(const struct comparison *comparison, struct buffer *out,
	enum report_outcome *outcome, struct fault *fault)
{
	struct writer writer = {
		.ops = formats[comparison->options->format], .out = out};

	if (comparison->window_count == 0)
		return fault_set(fault,
			"session %s has no ticks yet: nothing to report",
			comparison->session->name);
	if (outcome)
		*outcome = verdicts_outcome(comparison);
	writer.ops->begin(&writer);
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		sections[i]->write(comparison, &writer);
	writer.ops->end(&writer);
	return true;
}

static void judge(struct comparison *comparison)
{
	const struct session *session = comparison->session;

	for (size_t w = 1; w < comparison->window_count; w++)
		judgement_measure(&comparison->judgements[w], session,
			comparison->windows[0]->id, comparison->windows[w]->id,
			comparison->options->pool);
	sides_take(comparison);
	runs_take(comparison);
	if (comparison->window_count > 1)
		comparison->families = judgement_decide(&comparison->judgements[1],
			comparison->window_count - 1, session);
}

/* Where nobody set a window and the caller none for all of it: what is in memory. */
static bool add_whole(struct session *session, struct report_options *options)
{
	size_t oldest = session_back(session, INT64_MIN);
	struct window whole;

	if (!oldest)
		return false;
	whole = report_whole(
		session->ring_at[(session->ticks - 1 - oldest) % session->ring_size],
		session->last.at);
	(void)session_window(session, &whole); /* from the ring, so it can be made */
	options->windows[options->window_count++] = whole.id;
	return true;
}

void report_learn_people(const struct report_options *options)
{
	static const char homes[] = "/home/";
	const char *file = options->file ? options->file : "";
	char person[AUTHOR_NAME];

	if (options->author)
		redactor_learn_person(options->redactor, options->author);
	if (strncmp(file, homes, sizeof homes - 1) != 0)
		return;
	file += sizeof homes - 1;
	(void)text_format(person, sizeof person, "%.*s", (int)strcspn(file, "/"),
		file); /* a cut one is no name */
	redactor_learn_person(options->redactor, person);
}

/* FILE has room for PATH_SHOWN bytes, AUTHOR for AUTHOR_NAME. */
static void redact_options(struct report_options *options, char *file, char *author)
{
	if (!options->redactor)
		return;
	report_learn_people(options);
	/* cut ones are still told by their beginning */
	if (options->file) {
		(void)text_copy(file, PATH_SHOWN, options->file);
		redact_field(options->redactor, file, PATH_SHOWN);
		options->file = file;
	}
	if (options->author) {
		(void)text_copy(author, AUTHOR_NAME, options->author);
		redact_field(options->redactor, author, AUTHOR_NAME);
		options->author = author;
	}
}

bool report_write(struct session *session, const struct report_options *options,
	struct buffer *out, enum report_outcome *outcome, struct fault *fault)
{
	struct report_options own = *options;
	struct comparison comparison = {
		.session = session,
		.options = &own,
		.last = own.last ? own.last : session->last.at,
		.zone_minutes = session->last.zone_minutes,
	};
	char file[PATH_SHOWN], author[AUTHOR_NAME];
	bool added, done;

	redact_options(&own, file, author);
	if (!own.window_count)
		(void)report_choose(
			session, NULL, 0, &own, fault); /* no names: no fault */
	added = !own.window_count && add_whole(session, &own);
	done = take_windows(&comparison, fault);
	if (done) {
		judge(&comparison);
		done = write_sections(&comparison, out, outcome, fault);
	}
	for (size_t w = 0; w < REPORT_WINDOWS; w++)
		judgement_fini(&comparison.judgements[w]);
	sides_fini(&comparison);
	free(comparison.run_rows);
	if (added)
		session_remove_window(session, whole_id);
	return done;
}
