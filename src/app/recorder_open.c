/*
 * Beginning and end of a recording: locks, the session file with what it holds from
 * earlier runs, the parts in their order.
 */
#include "config.h"

#include "app/recorder.h"

#include "app/folder.h"
#include "app/server.h"
#include "base/loop.h"
#include "base/scan.h"
#include "base/text.h"
#include "core/unit.h"

#include <inttypes.h>
#include <limits.h>
#include <net/if.h>
#include <signal.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum {
	RING_BYTES = 32 << 20,
	RING_TICKS = 100000,
};

static const nsec ring_age = 24 * 3600 * NSEC_PER_SEC;
/* What a viewer of a resumed session sees of the time before. */
static const nsec preload_least = 15 * 60 * NSEC_PER_SEC;

/* ---- locks ---- */

/* Two recorders of one file, or on one socket, cannot be. The locks go with the
 * process, however that ends. */
static bool lock_one(const char *name, const char *path, int *fd, struct fault *fault)
{
	bool busy;

	*fd = folder_lock(path, &busy, fault);
	if (*fd < 0 && busy)
		return fault_set(fault,
			"session %s is being recorded already (weir attach %s shows "
			"it)",
			name, name);
	return *fd >= 0;
}

static bool lock_paths(const struct recorder *recorder, char *socket, char *file)
{
	const struct place *place = recorder->place;

	return text_format(socket, PATH_MAX, "%s.lock", place->socket) &&
	       text_format(file, PATH_MAX, "%s/%s.lock", place->folder, place->name);
}

static bool lock_both(struct recorder *recorder, struct fault *fault)
{
	const struct place *place = recorder->place;
	char folder[PATH_MAX];
	char socket[PATH_MAX];
	char file[PATH_MAX];

	if (!text_copy(folder, sizeof folder, place->socket) ||
		!lock_paths(recorder, socket, file))
		return fault_set(fault, "the path of the session is too long");
	*strrchr(folder, '/') = 0;
	return folder_make(folder, fault) &&
	       lock_one(place->name, socket, &recorder->socket_lock, fault) &&
	       lock_one(place->name, file, &recorder->file_lock, fault);
}

static void unlock_both(struct recorder *recorder)
{
	char socket[PATH_MAX];
	char file[PATH_MAX];

	if (!lock_paths(recorder, socket, file))
		return; /* then there are none */
	folder_unlock(file, recorder->file_lock);
	folder_unlock(socket, recorder->socket_lock);
}

/* ---- what earlier runs left ---- */

struct preload {
	struct ring *ring;
	struct tick_decoder *decoder;
};

static bool preload_tick(
	void *context, nsec at, bool full, const uint8_t *data, size_t size)
{
	const struct preload *preload = context;
	struct fault fault;
	bool have;

	(void)ring_add(preload->ring, &(struct ring_tick){at, full, data, size});
	/* a damaged one is skipped here as it is everywhere */
	(void)tick_decode(preload->decoder, data, size, &have, &fault);
	return true;
}

static nsec preload_from(const struct recorder *recorder, nsec last)
{
	const struct windows *windows = &recorder->session->windows;
	nsec from = last - preload_least;

	for (size_t i = 0; i < windows->count; i++)
		if (windows->list[i].from < from)
			from = windows->list[i].from;
	return from > last - ring_age ? from : last - ring_age;
}

/* Loads the ring with the end of the last run; *PREVIOUS is its last tick. */
static bool preload(struct recorder *recorder, struct store *store,
	struct tick_decoder *decoder, struct fault *fault)
{
	struct preload context = {&recorder->ring, decoder};
	nsec first;
	nsec last;

	if (!store_span(store, &first, &last))
		return true;
	if (!store_ticks(store, preload_from(recorder, last), last, preload_tick,
		    &context, fault))
		return false;
	ring_saved(&recorder->ring, recorder->ring.next);
	return true;
}

static void last_note(struct recorder *recorder)
{
	const struct session *session = recorder->session;

	recorder->marked = session->windows.count > 0;
	for (size_t i = 0; i < session->note_count; i++) {
		const struct note *note = &session->notes[i];

		recorder->marked |= note->kind != NOTE_EVENT;
		if (note->id > recorder->last_note)
			recorder->last_note = note->id;
	}
}

/* What is done about packets behind findings, so that it can be said why there are
 * none. */
static const char *evidence_word(const struct selection *selection)
{
	if (!selection->capture)
		return "none";
	return selection->evidence == SELECT_NOTHING ? "off" : "kept";
}

static struct store *open_store(struct recorder *recorder, struct fault *fault)
{
	const struct place *place = recorder->place;
	struct store *store = store_open(
		place->file, place->exists ? STORE_WRITE : STORE_CREATE, fault);
	char name[WINDOW_NAME];

	if (!store)
		return NULL;
	if (store_load(store, recorder->session, fault) &&
		(store_meta(store, "name", name, sizeof name) ||
			store_meta_set(store, "name", place->name, fault)) &&
		store_meta_set(store, "evidence",
			evidence_word(&recorder->options->selection), fault)) {
		recorder->keeper.last = store_evidence_last(store);
		return store;
	}
	store_close(store);
	return NULL;
}

/* ---- this run ---- */

static void begin_run(struct recorder *recorder, const struct tick_decoder *decoder)
{
	const struct session *session = recorder->session;
	struct tick previous = decoder->tick;
	bool resumed = decoder->generation > 0;
	struct instant now;

	if (session->run_count) { /* a run of which no tick could be read counts too */
		const struct run *run = &session->runs[session->run_count - 1];

		if (!resumed || run->number > previous.run) {
			previous.at = run->from > previous.at ? run->from : previous.at;
			previous.wall = resumed ? previous.wall : run->wall;
			previous.run = run->number;
		}
		resumed = true;
		recorder->resumed_from = previous.at;
	}
	clock_read(&now);
	beat_start(&recorder->beat, &now, recorder->options->interval,
		resumed ? &previous : NULL);
}

static void describe_run(struct recorder *recorder)
{
	struct run run = {.number = recorder->tick.run,
		.from = recorder->tick.at,
		.wall = recorder->tick.wall};
	struct utsname system;

	/* what cannot be read stays empty, what is too long is cut */
	(void)scan_file_text("", "/proc/sys/kernel/random/boot_id", run.boot_id,
		sizeof run.boot_id, NULL);
	if (uname(&system) == 0) {
		(void)text_clean(run.host, sizeof run.host, system.nodename);
		(void)text_format(run.kernel, sizeof run.kernel, "%.60s %.30s",
			system.release, system.machine);
	}
	(void)text_copy(run.version, sizeof run.version, PACKAGE_VERSION);
	session_run(recorder->session, &run);
	(void)journal_run(recorder->journal, &run); /* nobody waits for it */
}

/* How the hole came about, for whoever finds it. */
static void tell_resumed(struct recorder *recorder)
{
	const struct session *session = recorder->session;
	const struct run *run = session->runs + session->run_count - 1;
	bool rebooted;
	char hole[32];

	if (session->run_count < 2)
		return;
	rebooted = strcmp(run[0].boot_id, run[-1].boot_id) != 0;
	unit_duration(hole, sizeof hole, recorder->tick.at - recorder->resumed_from);
	recorder_event(recorder, "recording goes on after %s: %s%s", hole,
		recorder->ended_well ? "it was stopped"
		: rebooted           ? "the host went down while it ran"
				     : "its recorder was killed",
		recorder->ended_well && rebooted ? ", the host was rebooted since"
						 : "");
}

/* What was asked for and cannot be seen yet. */
static void tell_missing(struct recorder *recorder)
{
	const char *at = recorder->options->selection.interfaces;
	char name[IF_NAMESIZE];

	while (at && selection_next(&at, name, sizeof name))
		if (!if_nametoindex(name))
			recorder_event(recorder,
				"there is no interface %s yet: it is watched once it "
				"comes",
				name);
}

static bool open_descriptors(struct recorder *recorder, struct fault *fault)
{
	static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGPIPE, 0};

	recorder->signals = loop_signals(signals, fault);
	recorder->bell = recorder->signals < 0 ? -1 : loop_bell(fault);
	return recorder->bell >= 0;
}

static bool open_parts(
	struct recorder *recorder, struct tick_decoder *decoder, struct fault *fault)
{
	struct store *store = open_store(recorder, fault);

	if (!store)
		return false;
	if (!preload(recorder, store, decoder, fault)) {
		store_close(store);
		return false;
	}
	last_note(recorder);
	recorder->upgraded = store_upgraded(store);
	recorder->ended_well = store_ended_well(store, recorder->session);
	recorder->journal = journal_new(
		store, recorder->place->file, &recorder->ring, recorder->bell, fault);
	if (!recorder->journal) {
		store_close(store);
		return false;
	}
	recorder->selection = recorder->options->selection;
	if (!recorder->selection.ring)
		recorder->selection.ring = recorder->alarm.settings.ring;
	if (!recorder->selection.stall)
		recorder->selection.stall = recorder->alarm.settings.stall;
	recorder->env = (struct source_env){.proc = "/proc",
		.sys = "/sys",
		.etc = "/etc",
		.helper = WEIR_HELPER,
		.interval = recorder->options->interval,
		.selection = &recorder->selection};
	recorder->collector = collector_new(sources, &recorder->env);
	return true;
}

bool recorder_open(struct recorder *recorder, struct fault *fault)
{
	struct tick_decoder decoder = {0};
	bool good;

	recorder->file_lock = recorder->socket_lock = -1;
	recorder->signals = recorder->bell = -1;
	recorder->session = session_new(recorder->place->name, 0);
	ring_init(&recorder->ring, RING_BYTES, RING_TICKS, ring_age);
	good = alarm_open(&recorder->alarm, fault) && lock_both(recorder, fault) &&
	       open_descriptors(recorder, fault) &&
	       open_parts(recorder, &decoder, fault);
	if (good) {
		begin_run(recorder, &decoder);
		recorder_tick(recorder, false);
		if (recorder->options->duration)
			recorder->end =
				recorder->tick.mono + recorder->options->duration;
		describe_run(recorder);
		tell_resumed(recorder);
		tell_missing(recorder);
		if (recorder->upgraded)
			recorder_event(recorder,
				"the session file was of format %d: as it was it is "
				"kept as %s.weir.v%d",
				recorder->upgraded, recorder->place->name,
				recorder->upgraded);
		recorder->server = server_new(recorder, recorder->place->socket, fault);
		good = recorder->server != NULL;
		if (good) /* whoever looked while it stood could not say so */
			recorder_looked(recorder);
	}
	tick_decoder_fini(&decoder);
	return good;
}

static void close_descriptor(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* nothing was written through it */
	*fd = -1;
}

/* Whoever waits for a mark is told that the disk has it. */
static bool end_journal(struct recorder *recorder)
{
	const nsec patience = 10 * NSEC_PER_SEC;
	struct journal_state state;
	bool saved;

	if (!recorder->journal)
		return true;
	if (recorder->ticks)
		journal_run_ended(recorder->journal, recorder->tick.run);
	saved = journal_end(recorder->journal, patience);
	journal_look(recorder->journal, clock_mono(), &state);
	if (recorder->server)
		server_saved(recorder->server, state.done);
	if (recorder->server && !saved)
		server_end(recorder->server);
	return saved;
}

bool recorder_close(struct recorder *recorder, struct fault *fault)
{
	struct ring_state ring;
	bool saved = end_journal(recorder);

	/* the last answers say how the recording is: they go before what they speak of
	 */
	server_free(recorder->server);
	collector_free(recorder->collector);
	if (!saved) {
		/* its thread still looks at the ring, which goes with the process */
		ring_look(&recorder->ring, &ring);
		return fault_set(fault,
			"the disk did not take the end of session %s: %" PRIu64
			" ticks are lost",
			recorder->place->name, ring.unsaved);
	}
	journal_free(recorder->journal);
	ring_fini(&recorder->ring);
	tick_encoder_fini(&recorder->encoder);
	alarm_close(&recorder->alarm);
	buffer_fini(&recorder->encoded);
	session_free(recorder->session);
	close_descriptor(&recorder->signals);
	close_descriptor(&recorder->bell);
	unlock_both(recorder);
	return true;
}
