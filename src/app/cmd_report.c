/* `weir report`: reads a session file, sums up the windows, writes the report. */
#include "config.h"

#include "app/commands.h"

#include "app/asking.h"
#include "app/output.h"
#include "app/place.h"
#include "app/settings.h"
#include "base/clock.h"
#include "report/redact.h"
#include "report/report.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

enum {
	EXIT_WORSE = 3,  /* --check */
	EXIT_UNCLEAR = 4 /* --check: no verdict, or none that can be given */
};

static const int check_status[] = {
	[REPORT_GOOD] = EXIT_DONE,
	[REPORT_WORSE] = EXIT_WORSE,
	[REPORT_UNCLEAR] = EXIT_UNCLEAR,
};

/* clang-format off */
static const struct option_info options_report[] = {
	{"format", 0, "text|md|csv|json", "what it is written as (text)"},
	{"output", 'o', "FILE", "a new file instead of standard output"},
	{"target", 0, "METRIC=PCT%,..", "whether so much gain is ruled out where nothing is clear (repeatable)"},
	{"pool", 0, NULL, "windows of one name stand together: repeat A and B"},
	{"redact", 0, "[=all]", "placeholders for hosts, addresses, people; all: every name"},
	{"check", 0, NULL, "exit 0 better or the same, 3 worse, 4 unclear"},
	{NULL, 0, NULL, NULL},
};
/* clang-format on */

static bool sum_up(struct store *store, struct session *session,
	const struct report_options *options, struct fault *fault)
{
	struct window_ids ids = {.count = 0};
	bool done;

	report_needs(session, options, &ids);
	done = store_sum_up(store, session, ids.list, ids.count, fault);
	free(ids.list);
	return done;
}

/* Chooses the windows and feeds the session what they need. */
static bool load(struct store *store, struct session *session,
	const struct arguments *arguments, struct report_options *options,
	struct fault *fault)
{
	nsec first;

	if (!store_load(store, session, fault) ||
		!report_choose(session, arguments->words, arguments->word_count,
			options, fault))
		return false;
	if (!store_span(store, &first, &options->last))
		return fault_set(fault, "session %s has no ticks yet", session->name);
	if (!options->window_count) {
		struct window whole = report_whole(first, options->last);

		(void)session_window(session, &whole); /* no ticks yet: it can be */
		options->windows[options->window_count++] = whole.id;
	}
	return sum_up(store, session, options, fault);
}

/* Whether one of the windows that are compared is not over. */
static bool is_early(
	const struct session *session, const struct report_options *options)
{
	for (size_t i = 1; i < options->window_count; i++)
		if (window_runs(windows_by_id(&session->windows, options->windows[i]),
			    session->last.at + session->last.interval))
			return true;
	return false;
}

static bool make_report(const struct place *place, const struct arguments *arguments,
	struct report_options *options, struct buffer *page,
	enum report_outcome *outcome, struct fault *fault)
{
	struct store *store = store_open(place->file, STORE_READ, fault);
	struct session *session;
	struct fault damage;
	bool done;

	if (!store)
		return false;
	session = session_new(place->name, 0);
	done = load(store, session, arguments, options, fault);
	if (done && options->redactor) {
		report_learn_people(options);
		redact_session(options->redactor, session);
	}
	if (done && is_early(session, options))
		asking_looked(place);
	done = done && report_write(session, options, page, outcome, fault);
	if (done && store_damage(store, &damage))
		(void)failure(&damage); /* the page says it too */
	session_free(session);
	store_close(store);
	return done;
}

static bool deliver(const char *path, struct buffer *page, struct fault *fault)
{
	struct output output;
	bool done;

	if (!output_open(&output, path, fault))
		return false;
	done = output_write(&output, page, fault);
	return output_close(&output, done, fault) && done;
}

static void read_settings(struct targets *targets)
{
	struct settings settings;
	struct fault fault;

	targets->count = 0;
	if (!settings_read(&settings, &fault)) {
		(void)failure(&fault); /* a report without targets is still one */
		return;
	}
	*targets = settings.targets;
	settings_fini(&settings);
}

/* What --target wants goes before what weir.conf does. */
static bool read_targets(
	const struct arguments *arguments, struct targets *targets, struct fault *fault)
{
	char list[TARGETS_MOST * 64], *at = list, *one;

	read_settings(targets);
	if (!argument_joined(arguments, "target", list, sizeof list))
		return fault_set(fault, "%d targets are the limit", TARGETS_MOST);
	while (*list && (one = strsep(&at, ","))) {
		char *sign = strchr(one, '=');
		struct fault why;

		if (sign)
			*sign = ' ';
		if (!sign || !settings_target(targets, one, &why))
			return fault_set(fault,
				"--target takes METRIC=PERCENT%%, such as "
				"disk.queue=20%%: %s",
				sign ? why.text : one);
	}
	return true;
}

static int run(const struct arguments *arguments)
{
	const char *format = argument(arguments, "format");
	const char *redact = argument(arguments, "redact");
	enum redact_level level;
	char author[AUTHOR_NAME];
	struct targets targets;
	struct report_options options = {.author = author,
		.targets = &targets,
		.pool = argument_given(arguments, "pool")};
	struct buffer page = {0};
	enum report_outcome outcome = REPORT_UNCLEAR;
	struct place place;
	struct instant now;
	struct fault fault;
	bool done;

	if ((format && !report_format_find(format, &options.format, &fault)) ||
		(redact && !redact_level_find(redact, &level, &fault)) ||
		!read_targets(arguments, &targets, &fault))
		return usage_error(arguments->command, "%s", fault.text);
	clock_read(&now);
	options.written = now.wall;
	options.zone_minutes = clock_zone_minutes(now.wall);
	place_author(author, sizeof author);
	if (!place_find(argument(arguments, "session"), &place, &fault))
		return failure(&fault);
	options.file = place.file;
	options.redactor = redact ? redactor_new(level) : NULL;
	done = make_report(&place, arguments, &options, &page, &outcome, &fault) &&
	       deliver(argument(arguments, "output"), &page, &fault);
	redactor_free(options.redactor);
	buffer_fini(&page);
	if (!done)
		return failure(&fault);
	return argument_given(arguments, "check") ? check_status[outcome] : EXIT_DONE;
}

const struct command command_report = {
	.name = "report",
	.words = "[A B [C..]]",
	.about = "lay windows of a session side by side",
	.more = "A, B, C.. are names of windows; B and the others are compared with A. "
		"A "
		"name given twice means the last two windows of that name. Without "
		"names: "
		"the newest BEFORE and the newest AFTER, or else the last two windows; "
		"where nobody marked any, the whole session.\n\n"
		"Commands of `weir run` with one name stand together: three of each "
		"name give a verdict. With --pool other windows of one name do, too: "
		"A B A B guards against drift.\n\n"
		"Verdicts come in two families, so that the many rows of a big host do "
		"not hide the few that matter. The headline has queue, waits and peaks "
		"of the disks that -D chose when the recording began (else of the four "
		"busiest), the four busiest peers of storage, all bad packets and "
		"retransmissions; the other has all else. Where nothing changed, a "
		"family "
		"has a wrong word in at most 5 of 100 comparisons of A and B. In 1 of "
		"100 while B runs, and where somebody compared it before it was ended "
		"by "
		"hand (weir help mark).\n\n"
		"With --check the exit status is 0 if something is better or the same "
		"and nothing worse, 3 if something is worse, 4 if neither can be "
		"said.\n\n"
		"With --redact names of hosts, addresses, MACs and people become "
		"placeholders, "
		"the same one for the same thing; with --redact=all also WWIDs, "
		"labels, "
		"mount points and names of windows, and notes are withheld. The report "
		"says what was left.",
	.options = {options_report, options_session},
	.most_words = REPORT_WINDOWS,
	.run = run,
};
