/* What keys can ask of the program; see tui/actions.h. */
#include "config.h"

#include "app/evidence_file.h"
#include "app/output.h"
#include "app/screen.h"
#include "base/clock.h"
#include "base/text.h"
#include "report/report.h"
#include "tui/terminal.h"

#include <stdlib.h>
#include <string.h>

enum {
	WORDS = 8
};

static bool request(
	void *context, const char *const *words, size_t count, struct fault *fault)
{
	struct screen *screen = context;
	const char *all[WORDS];
	char name[AUTHOR_NAME], author[AUTHOR_NAME + 8];

	if (!screen->client || screen->gone)
		return fault_set(fault, "there is no recorder that could do that");
	place_author(name, sizeof name);
	(void)text_format(author, sizeof author, "author=%s", name); /* fits */
	memcpy(all, words, count * sizeof *all);
	all[count] = author;
	return client_send(screen->client, all, count + 1, fault);
}

/* What a file beside the session is called: NAME-WHAT-20261001T023318.ENDING, by the
 * local clock. */
struct beside {
	const char *what, *ending;
	nsec wall;
	int zone;
};

static bool beside_path(const struct screen *screen, const struct beside *beside,
	char *path, size_t size)
{
	char date[40], stamp[40];
	size_t used = 0;

	unit_date(date, sizeof date, beside->wall, beside->zone);
	for (const char *at = date; *at && used < 15; at++) {
		if (*at == ' ')
			stamp[used++] = 'T';
		else if (*at >= '0' && *at <= '9')
			stamp[used++] = *at;
	}
	stamp[used] = 0;
	return text_format(path, size, "%s/%s-%s-%s.%s", screen->place->folder,
		screen->session->name, beside->what, stamp, beside->ending);
}

static bool write_file(const char *path, struct buffer *text, struct fault *fault)
{
	struct output output;
	bool good;

	if (!output_open(&output, path, fault))
		return false;
	good = output_write(&output, text, fault);
	return output_close(&output, good, good ? fault : NULL) && good;
}

/* The pair that the screen compares, where it has one. */
static bool choose(const struct screen *screen, struct report_options *options,
	struct fault *fault)
{
	struct scene scene;

	scene_make(&scene, screen->session, &screen->view, &screen->status);
	if (!scene.a || !scene.b)
		return report_choose(screen->session, NULL, 0, options, fault);
	options->windows[0] = scene.a->id;
	options->windows[1] = scene.b->id;
	options->window_count = 2;
	return true;
}

static bool report(void *context, char *message, size_t size)
{
	struct screen *screen = context;
	nsec wall = screen->session->last.wall;
	struct report_options options = {.format = REPORT_TEXT,
		.written = wall,
		.zone_minutes = screen->session->last.zone_minutes,
		.file = screen->place->file};
	struct buffer text = {0};
	struct fault fault = {0, ""};
	char path[PATH_MAX + 128];
	bool good;

	if (!screen->view.replay) {
		struct instant now;

		clock_read(&now);
		options.written = wall = now.wall;
	}
	good = choose(screen, &options, &fault) &&
	       report_write(screen->session, &options, &text, NULL, &fault);
	if (good &&
		!beside_path(screen,
			&(struct beside){"report", "txt", wall, options.zone_minutes},
			path, sizeof path))
		good = fault_set(&fault, "the path of the report is too long");
	good = good && write_file(path, &text, &fault);
	(void)text_format(message, size, good ? "report: %s" : "no report: %s",
		good ? path : fault.text); /* the end of a long path may be cut */
	buffer_fini(&text);
	return good;
}

static bool evidence(void *context, char *message, size_t size)
{
	struct screen *screen = context;
	struct beside beside = {
		"evidence", "pcapng", 0, screen->session->last.zone_minutes};
	struct buffer file = {0};
	struct fault fault = {0, ""};
	char path[PATH_MAX + 128] = "";
	struct instant now;
	size_t packets;
	bool good;

	clock_read(&now);
	beside.wall = now.wall;
	good = evidence_file_of_session(screen->place->file, &file, &packets, &fault);
	good = good && packets; /* else the fault says why there are none */
	if (good && !beside_path(screen, &beside, path, sizeof path))
		good = fault_set(&fault, "the path of the file is too long");
	good = good && write_file(path, &file, &fault);
	if (good) /* the end of a long path may be cut */
		(void)text_format(message, size, "%zu packets%s: %s", packets,
			*fault.text ? " of a damaged session" : "", path);
	else
		(void)text_format(message, size, "no evidence: %s", fault.text);
	buffer_fini(&file);
	return good;
}

static bool read_time(void *context, const char *text, nsec *wall, struct fault *fault)
{
	const struct screen *screen = context;

	return parse_time(text, screen->session->last.wall, wall, fault);
}

static bool read_duration(
	void *context, const char *text, nsec *duration, struct fault *fault)
{
	(void)context;
	return parse_duration(text, duration, fault);
}

static void leave(void *context)
{
	struct screen *screen = context;

	screen->leaving = true;
}

static void suspend(void *context)
{
	(void)context;
	terminal_suspend();
}

static void redraw(void *context)
{
	(void)context;
	terminal_redraw();
}

static void theme(void *context, unsigned number)
{
	screen_theme(context, number);
}

/* NO_COLOR: set and not empty (no-color.org). */
void screen_theme(struct screen *screen, unsigned number)
{
	const char *plain = getenv("NO_COLOR");
	struct fault fault;

	if (!theme_load(&screen->theme, WEIR_THEMES, theme_names[number], &fault))
		view_say(&screen->view, screen->session, false, "%s", fault.text);
	if (plain && *plain)
		theme_strip(&screen->theme);
	terminal_theme(&screen->theme);
}

struct host screen_host(struct screen *screen)
{
	return (struct host){screen, request, report, evidence, read_time,
		read_duration, leave, suspend, redraw, theme};
}
