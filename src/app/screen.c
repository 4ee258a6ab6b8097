/*
 * The loop of the screen: recorder and terminal in, drawings out. Nothing here may
 * delay the recorder: it is another process, and reads nothing from us but requests.
 */
#include "config.h"

#include "app/screen.h"

#include "app/logout.h"
#include "app/settings.h"
#include "base/clock.h"
#include "base/text.h"
#include "core/unit.h"
#include "tui/lines.h"
#include "tui/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	POLL_MS = 500 /* how late the end of a recorder or a signal may be seen */
};

/* Who left for less has missed nothing. */
#define AWAY (10 * NSEC_PER_SEC)

void screen_init(struct screen *screen, const struct place *place)
{
	*screen = (struct screen){.place = place};
	view_init(&screen->view);
	theme_builtin(&screen->theme);
	screen->heard = clock_mono();
}

void screen_fini(struct screen *screen)
{
	client_free(screen->client);
	session_free(screen->session);
	view_fini(&screen->view);
	canvas_fini(&screen->canvas);
}

bool screen_connect(struct screen *screen, struct fault *fault)
{
	screen->session = session_new(screen->place->name, SCREEN_RING);
	screen->client =
		client_connect(screen->place->socket, screen->place->owner, fault);
	screen->status.recording = screen->client != NULL;
	return screen->client &&
	       client_watch(screen->client, screen->session, INT64_MIN, fault);
}

static void take_state(struct screen *screen)
{
	const struct recorder_state *state = client_state(screen->client);
	struct status *status = &screen->status;

	status->viewers = state->viewers;
	status->unsaved = state->unsaved;
	status->unsaved_for = state->unsaved_for;
	status->late = state->late;
	/* the state's texts are the shorter ones */
	(void)text_copy(status->trouble, sizeof status->trouble, state->trouble);
	(void)text_copy(status->sources, sizeof status->sources, state->sources);
}

bool screen_settle(struct screen *screen, nsec patience)
{
	bool settled = client_settle(screen->client, patience);

	if (settled) /* nobody tells of this one again */
		take_state(screen);
	return settled;
}

static void take_answer(struct screen *screen)
{
	const struct client_answer *answer = client_answer(screen->client);

	if (answer->error)
		view_say(&screen->view, screen->session, true, "%s", answer->text);
	else
		view_say(&screen->view, screen->session, !answer->saved, "%s%s",
			answer->text, answer->saved ? ", saved" : ", NOT SAVED YET");
}

static void take_end(struct screen *screen, const struct fault *fault)
{
	const struct recorder_state *state = client_state(screen->client);

	screen->gone = true;
	screen->status.recording = false;
	if (state->known && state->stopping)
		(void)text_copy(screen->status.trouble, sizeof screen->status.trouble,
			"The recording was stopped. q leaves this screen");
	else
		(void)text_format(screen->status.trouble, sizeof screen->status.trouble,
			"RECORDER GONE: %.120s. Nothing is recorded. q, then weir, "
			"resumes",
			fault->text);
}

void screen_receive(struct screen *screen)
{
	struct fault fault = {0, ""};

	while (!screen->gone) {
		switch (client_next(screen->client, &fault)) {
		case CLIENT_NOTHING:
			return;
		case CLIENT_TICK:
			screen->fresh++;
			screen->heard = clock_mono();
			break;
		case CLIENT_STATE:
			take_state(screen);
			break;
		case CLIENT_ANSWER:
			take_answer(screen);
			screen->dirty = true;
			break;
		case CLIENT_CHANGED:
		case CLIENT_REBUILD:
			screen->dirty = true;
			break;
		case CLIENT_GONE:
			take_end(screen, &fault);
			screen->dirty = true;
			break;
		}
	}
}

/* A recorder that is there and silent has been stopped or starved. */
static void watch_silence(struct screen *screen)
{
	nsec silent = clock_mono() - screen->heard;
	nsec interval = screen->session->last.interval;
	char age[24];

	if (!screen->client || screen->gone || !screen->session->ticks ||
		silent < 3 * interval + 2 * NSEC_PER_SEC)
		return;
	unit_duration(age, sizeof age, silent);
	(void)text_format(screen->status.trouble, sizeof screen->status.trouble,
		"The recorder has sent nothing for %s", age);
	screen->dirty = true;
}

/* Once all is there: what happened since the last screen was left. */
static void welcome(struct screen *screen)
{
	const struct recorder_state *state =
		screen->client ? client_state(screen->client) : NULL;

	if (screen->welcomed || !state || !state->known)
		return;
	screen->welcomed = true;
	if (!state->left || state->viewers > 1 ||
		screen->session->last.at - state->left < AWAY ||
		!digest_has_news(screen->session, state->left))
		return;
	digest_open(&screen->view, screen->session, state->left);
	screen->dirty = true;
}

/* For alerts that begin while somebody watches, if the configuration wants it. */
static void ring_bell(struct screen *screen)
{
	const struct session *session = screen->session;
	nsec last = screen->rung_at;

	if (!screen->bell || screen->view.replay || !session->ticks)
		return;
	for (size_t i = 0; i < session->note_count; i++)
		if (session->notes[i].kind == NOTE_ALERT && session->notes[i].at > last)
			last = session->notes[i].at;
	if (screen->rung_at && last > screen->rung_at)
		terminal_bell();
	screen->rung_at = last ? last : 1; /* those of before are not rung for */
}

static void draw(struct screen *screen)
{
	int rows, columns;

	if (!screen->dirty && screen->fresh < screen->view.every)
		return;
	terminal_size(&rows, &columns);
	if (rows != screen->canvas.rows || columns != screen->canvas.columns)
		canvas_resize(&screen->canvas, rows, columns);
	view_judge(&screen->view, screen->session);
	screen_draw(screen->session, &screen->view, &screen->status, &screen->canvas);
	if (!terminal_draw(&screen->canvas))
		return; /* nobody reads: again at the next turn */
	ring_bell(screen);
	screen->dirty = false;
	screen->fresh = 0;
}

static void take_keys(struct screen *screen, short events)
{
	struct host host = screen_host(screen);
	struct desk desk = {screen->session, &screen->view, &screen->status, &host};
	struct terminal_input input;

	terminal_input(&input, events, clock_mono());
	screen->lost |= input.lost;
	if (input.count)
		actions_keys(&desk, input.keys, input.count);
	screen->dirty |= input.count || input.resized;
	if (screen->view.lines && !terminal_utf8()) {
		screen->view.lines = false;
		view_say(&screen->view, screen->session, false,
			"blocks need a UTF-8 locale (LC_ALL)");
	}
}

static void loop(struct screen *screen)
{
	struct pollfd polled[2] = {{.fd = STDIN_FILENO, .events = POLLIN}};

	screen->dirty = true;
	while (!screen->leaving && !screen->lost && !terminal_signal()) {
		polled[1].fd = screen->client && !screen->gone
				       ? client_fd(screen->client)
				       : -1;
		polled[1].events = POLLIN;
		polled[0].revents = polled[1].revents = 0;
		if (poll(polled, 2, POLL_MS) < 0 && errno != EINTR)
			screen->lost = true;
		if (screen->client)
			screen_receive(screen);
		welcome(screen);
		/* also without input: a change of size has none */
		take_keys(screen, polled[0].revents);
		watch_silence(screen);
		draw(screen);
	}
}

/* The recording ends with its only screen if that began it and nobody marked. */
static bool ends_with_us(const struct screen *screen)
{
	const struct recorder_state *state =
		screen->client ? client_state(screen->client) : NULL;

	return state && screen->own && screen->leaving && !screen->gone &&
	       !state->marked && state->viewers <= 1 && !screen->session->windows.count;
}

void screen_end(struct screen *screen)
{
	const char *words[] = {"stop"};
	struct client_answer answer;

	if (ends_with_us(screen) && client_ask(screen->client, words, 1, false,
					    5 * NSEC_PER_SEC, &answer, NULL))
		screen->gone = true;
}

/* What stays on the terminal after the screen is gone. */
static void say_goodbye(struct screen *screen)
{
	struct status status = screen->status;
	const char *name = screen->session->name;
	struct scene scene;
	char text[512];

	screen_end(screen);
	screen->view.paused = screen->view.replay;
	view_judge(&screen->view, screen->session);
	scene_make(&scene, screen->session, &screen->view, &status);
	line_verdict_text(&scene, text, sizeof text, 200);
	if (scene.a)
		(void)printf("%s\n", text);
	if (screen->view.replay)
		(void)printf("%s: session %s\n", name, screen->place->file);
	else if (screen->gone)
		(void)printf(
			"%s: the recording has ended; weir report -s %s\n", name, name);
	else
		(void)printf("%s: recording goes on, come back with: weir attach %s\n",
			name, name);
	if (!screen->gone && screen->client &&
		logout_kills("", geteuid(), client_pid(screen->client)))
		(void)printf("%s: %s\n", name, logout_advice);
}

/* A configuration that is wrong is no reason not to watch: the recorder says more. */
static void read_settings(struct screen *screen)
{
	struct settings settings;
	struct fault fault;

	if (settings_read(&settings, &fault)) {
		screen->bell = settings.bell;
		settings_fini(&settings);
	} else {
		(void)text_copy(screen->view.hint, sizeof screen->view.hint,
			fault.text); /* its beginning names the place */
	}
}

static long batch_count(const struct arguments *arguments)
{
	const char *count = argument(arguments, "count");
	char *end = NULL;
	long number = count ? strtol(count, &end, 10) : 0;

	return count && (*end || number < 1 || number > 1000000000) ? -1 : number;
}

int screen_check(const struct arguments *arguments)
{
	struct fault fault = {0, ""};

	if (batch_count(arguments) < 0)
		return usage_error(arguments->command,
			"-n wants a number of screens, not '%s'",
			argument(arguments, "count"));
	if (argument_given(arguments, "batch") || terminal_can(&fault))
		return EXIT_DONE;
	(void)fprintf(stderr, "weir: %s; -b prints the screen as text\n", fault.text);
	return EXIT_FAILED;
}

int screen_run(struct screen *screen, const struct arguments *arguments)
{
	struct fault fault = {0, ""};

	if (argument_given(arguments, "batch"))
		return screen_batch(screen, (unsigned)batch_count(arguments));
	if (!terminal_open(screen->view.hint, sizeof screen->view.hint, &fault)) {
		(void)fprintf(
			stderr, "weir: %s; -b prints the screen as text\n", fault.text);
		return screen_batch(screen, 0);
	}
	screen_theme(screen, screen->view.theme);
	read_settings(screen);
	if (*screen->view.hint)
		view_say(
			&screen->view, screen->session, false, "%s", screen->view.hint);
	if (*screen->notice)
		view_say(&screen->view, screen->session, true, "%s", screen->notice);
	screen->view.read_at = screen->session->last.at;
	loop(screen);
	terminal_close();
	if (!screen->lost && terminal_signal() != SIGHUP)
		say_goodbye(screen);
	return screen->lost ? EXIT_FAILED : EXIT_DONE;
}
