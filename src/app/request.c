/* The requests that the recorder takes, as rows; and their answers. */
#include "config.h"

#include "app/link.h"
#include "app/server.h"
#include "app/share.h"
#include "base/clock.h"
#include "base/text.h"
#include "core/unit.h"

#include <string.h>

static void answer_line(
	struct link *link, const char *word, uint32_t id, const char *text)
{
	line_word(&link->out, word);
	line_number(&link->out, id);
	if (text)
		line_word(&link->out, text);
	line_end(&link->out);
}

static void refuse(struct link *link, const char *text)
{
	line_word(&link->out, "error");
	line_word(&link->out, text);
	line_end(&link->out);
}

/* The session as it is, then ticks from SINCE on. */
static bool watch(struct link *link, struct answer *answer, struct fault *fault)
{
	const struct session *session = link->recorder->session;
	int64_t since = INT64_MIN;

	if (link->words.count > 1 && !words_number_at(&link->words, 1, &since))
		return fault_set(fault, "watch takes a session time in nanoseconds");
	if (since < INT64_MAX) /* who wants no tick, as `weir list`, compares nothing */
		recorder_looked(link->recorder);
	line_word(&link->out, "session");
	line_number(&link->out, PROTOCOL_VERSION);
	line_word(&link->out, link->recorder->place->name);
	line_end(&link->out);
	for (size_t i = 0; i < session->run_count; i++)
		line_run(&link->out, &session->runs[i]);
	for (size_t i = 0; i < session->windows.count; i++)
		line_window(&link->out, &session->windows.list[i]);
	for (size_t i = 0; i < session->note_count; i++)
		line_note(&link->out, &session->notes[i]);
	for (size_t i = 0; i < session->facts.count; i++) {
		struct fact fact = facts_at_index(&session->facts, i);

		line_fact(&link->out, &fact);
	}
	link_room(link);
	link->place = ring_find(&link->recorder->ring, since);
	link->behind = true;
	link->watching = true;
	(void)answer; /* the lines above are the answer */
	return true;
}

static bool state(struct link *link, struct answer *answer, struct fault *fault)
{
	(void)answer;
	(void)fault; /* it always can */
	recorder_state_line(link->recorder, &link->out);
	return true;
}

static bool looked(struct link *link, struct answer *answer, struct fault *fault)
{
	(void)fault; /* it always can */
	recorder_looked(link->recorder);
	(void)text_copy(answer->text, sizeof answer->text, "noted");
	return true;
}

static bool stop(struct link *link, struct answer *answer, struct fault *fault)
{
	(void)fault; /* it always can */
	link->recorder->stopping = true;
	(void)text_copy(answer->text, sizeof answer->text, "the recording ends");
	return true;
}

/* A screen that is left on purpose; a lost one says nothing. */
static bool leave(struct link *link, struct answer *answer, struct fault *fault)
{
	struct recorder *recorder = link->recorder;
	const char *text = "the recording goes on";

	(void)fault; /* it always can */
	link->watching = false;
	if (!link->only_watches && recorder->by_screen && !recorder->marked &&
		!server_viewers(recorder->server)) {
		recorder->stopping = true;
		text = "the recording ends";
	}
	(void)text_copy(answer->text, sizeof answer->text, text);
	return true;
}

static void forget_run(struct link *link, uint32_t id)
{
	size_t kept = 0;

	for (size_t i = 0; i < link->run_count; i++)
		if (link->runs[i] != id)
			link->runs[kept++] = link->runs[i];
	link->run_count = kept;
}

static bool run_begin(struct link *link, struct answer *answer, struct fault *fault)
{
	if (link->run_count == LINK_RUNS)
		return fault_set(fault, "too many commands on one connection");
	if (!recorder_run_begin(link->recorder, &link->words, answer, fault))
		return false;
	link->runs[link->run_count++] = answer->id;
	return true;
}

static bool run_end(struct link *link, struct answer *answer, struct fault *fault)
{
	if (!recorder_run_end(link->recorder, &link->words, answer, fault))
		return false;
	forget_run(link, answer->id);
	return true;
}

/* Either the recorder's own function, or one that needs the connection. */
struct request {
	const char *word;
	recorder_request *ask;
	bool (*here)(struct link *link, struct answer *answer, struct fault *fault);
	bool quiet;   /* has lines of its own instead of "marked" */
	bool anybody; /* also from those who only watch */
};

static const struct request requests[] = {
	{"mark", .ask = recorder_mark},
	{"note", .ask = recorder_note},
	{"attach", .ask = recorder_attach},
	{"undo", .ask = recorder_undo},
	{"edit", .ask = recorder_edit},
	{"delete", .ask = recorder_delete},
	{"run-begin", .here = run_begin},
	{"run-end", .here = run_end},
	{"watch", .here = watch, .quiet = true, .anybody = true},
	{"state", .here = state, .quiet = true, .anybody = true},
	{"looked", .here = looked, .anybody = true},
	{"leave", .here = leave, .anybody = true},
	{"stop", .here = stop},
};

static const struct request *find(const char *word)
{
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
		if (!strcmp(requests[i].word, word))
			return &requests[i];
	return NULL;
}

/* "marked" now; "saved" now too if there is nothing to save, else when it is. */
static void answer_good(struct link *link, const struct answer *answer)
{
	answer_line(link, "marked", answer->id, answer->text);
	if (!answer->job)
		answer_line(link, "saved", answer->id, NULL);
	else
		link->pending[link->pending_count++] =
			(struct link_pending){answer->job, answer->id};
}

/* A mark would be set at the wrong moment, and whoever asked was told that it is not.
 */
static bool is_stale(const struct words *words, struct fault *fault)
{
	nsec now = clock_mono();
	char age[32];
	int64_t asked;

	if (!words_number(words, "asked", &asked) || asked < 0 ||
		now - asked <= PROTOCOL_PATIENCE)
		return false;
	unit_duration(age, sizeof age, now - asked);
	(void)fault_set(fault, "that was asked %s ago: not done", age);
	return true;
}

void request_handle(struct link *link)
{
	const struct request *request = find(link->words.list[0]);
	struct answer answer = {0};
	struct fault fault = {0};
	bool good;

	if (!request) {
		refuse(link, "there is no such request");
		return;
	}
	if (link->only_watches && !request->anybody) {
		refuse(link, "members of group " SHARE_GROUP
			     " may watch this session; its owner and root change it");
		return;
	}
	if (link->pending_count == LINK_PENDING) {
		refuse(link, "too many requests wait for the disk");
		return;
	}
	if (request->ask && is_stale(&link->words, &fault)) {
		refuse(link, fault.text);
		return;
	}
	good = request->here
		       ? request->here(link, &answer, &fault)
		       : request->ask(link->recorder, &link->words, &answer, &fault);
	if (!good)
		refuse(link, fault.text);
	else if (!request->quiet)
		answer_good(link, &answer);
}
