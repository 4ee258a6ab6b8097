/* The journal while the disk does not take anything: what waits has a bound, what was
 * dropped is counted and said, and what viewers get meanwhile. */
#include "config.h"

#include "app/journal.h"
#include "app/recorder.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/loop.h"

#include "folder.h"

#include <poll.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	FRAME = 65000,
	FRAMES = 600 /* 39 MB */
};

static struct fault fault;

static void give_frame(struct journal *journal, uint32_t finding)
{
	static const uint8_t bytes[FRAME];
	struct evidence_packet packet = {.linktype = 1, .interface = "eth0"};
	struct evidence_batch batch = {0};

	packet.entry = (struct evidence_entry){.time = finding,
		.captured = FRAME,
		.length = FRAME,
		.finding = finding,
		.data = bytes};
	evidence_batch_add(&batch, &packet);
	journal_evidence(journal, finding, &batch);
	evidence_batch_fini(&batch);
}

static void count_one(
	void *context, const struct evidence_packet *packet, const char *classes)
{
	uint32_t *count = context;

	(void)classes;
	++*count;
	assert_int_equal(packet->entry.finding, *count); /* the first ones, in order */
}

static uint64_t wait_for(struct journal *journal, int bell, uint64_t job)
{
	struct pollfd item = {bell, POLLIN, 0};
	struct journal_state state;

	for (;;) {
		journal_look(journal, clock_mono(), &state);
		if (state.done >= job)
			return state.dropped;
		assert_true(poll(&item, 1, -1) > 0);
		loop_silence(bell);
	}
}

/* Another program holds the file: no job can be written until it lets go. */
static void whole_packets_do_not_fill_the_memory(void **state)
{
	const char *path = folder_path("held.weir");
	struct store *store = store_open(path, STORE_CREATE, &fault);
	struct note note = {.id = 1, .kind = NOTE_TEXT, .text = "awaited"};
	struct journal *journal;
	struct journal_state now;
	struct ring ring;
	uint32_t count = 0;
	uint64_t dropped, last;
	int bell = loop_bell(&fault);
	sqlite3 *holder;

	(void)state;
	assert_non_null(store);
	ring_init(&ring, 4096, 16, NSEC_PER_SEC);
	assert_int_equal(sqlite3_open(path, &holder), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(holder, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	journal = journal_new(store, path, &ring, bell, &fault);
	assert_non_null(journal);
	for (uint32_t i = 1; i <= FRAMES; i++)
		give_frame(journal, i);
	journal_look(journal, clock_mono(), &now);
	/* no fewer than what fits without any room to grow, no more than the bytes */
	assert_in_range(FRAMES - now.dropped, JOURNAL_PACKETS / FRAME / 2,
		JOURNAL_PACKETS / FRAME + 1);
	last = journal_note(journal, &note); /* what is small is still taken */
	assert_true(last > 0);
	assert_int_equal(sqlite3_exec(holder, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(holder), SQLITE_OK);

	dropped = wait_for(journal, bell, last);
	assert_int_equal(dropped, now.dropped);
	give_frame(journal, FRAMES - (uint32_t)dropped + 1); /* there is room again */
	assert_true(journal_end(journal, 60 * NSEC_PER_SEC));
	journal_free(journal);
	store = store_open(path, STORE_READ, &fault);
	assert_non_null(store);
	assert_true(store_evidence_each(store, count_one, &count, &fault));
	assert_int_equal(count, FRAMES - dropped + 1);
	store_close(store);
	ring_fini(&ring);
	(void)close(bell); /* an event's descriptor */
}

static void wait_for_trouble(struct journal *journal, struct journal_state *now)
{
	do {
		(void)poll(NULL, 0, 5);
		journal_look(journal, clock_mono(), now);
	} while (!now->trouble[0]);
}

/* A file without a name takes every byte, and nobody would ever find them. */
static void what_is_written_to_a_file_that_is_gone_is_not_called_saved(void **state)
{
	const char *path = folder_path("gone.weir");
	char away[4096];
	struct store *store = store_open(path, STORE_CREATE, &fault);
	struct note note = {.id = 1, .kind = NOTE_TEXT, .text = "kept"};
	struct journal *journal;
	struct journal_state now;
	struct ring ring;
	uint64_t last;
	int bell = loop_bell(&fault);
	FILE *other;

	(void)state;
	assert_non_null(store);
	ring_init(&ring, 4096, 16, NSEC_PER_SEC);
	journal = journal_new(store, path, &ring, bell, &fault);
	assert_non_null(journal);
	assert_true(snprintf(away, sizeof away, "%s.away", path) > 0);
	assert_int_equal(rename(path, away), 0);
	last = journal_note(journal, &note);
	wait_for_trouble(journal, &now);
	assert_non_null(strstr(now.trouble, "gone.weir was deleted or moved away"));
	assert_true(now.done < last);

	other = fopen(path, "w"); /* of the same name, and not the one */
	assert_non_null(other);
	assert_int_equal(fclose(other), 0);
	journal_kick(journal);
	do
		wait_for_trouble(journal, &now);
	while (!strstr(now.trouble, "another file"));
	assert_true(now.done < last);

	assert_int_equal(rename(away, path), 0);
	assert_int_equal(wait_for(journal, bell, last), 0);
	assert_true(journal_end(journal, 60 * NSEC_PER_SEC));
	journal_free(journal);
	ring_fini(&ring);
	(void)close(bell); /* an event's descriptor */
}

static void lost_packets_are_said_while_the_disk_is_away(void **state)
{
	struct ring_state ring = {.unsaved = 90, .unsaved_share = 0.5};
	struct journal_state journal = {
		.trouble = "the disk under the session is full"};
	char text[200];

	(void)state;
	recorder_trouble(&ring, &journal, 90 * NSEC_PER_SEC, text, sizeof text);
	assert_null(strstr(text, "packets"));
	journal.dropped = 1234;
	recorder_trouble(&ring, &journal, 90 * NSEC_PER_SEC, text, sizeof text);
	assert_string_equal(text,
		"the disk under the session is full: 90 ticks wait in memory, "
		"room for 1m30s more, 1234 packets LOST");
	journal.hung = 5 * NSEC_PER_SEC;
	recorder_trouble(&ring, &journal, 90 * NSEC_PER_SEC, text, sizeof text);
	assert_non_null(strstr(text, "1234 packets LOST"));
	journal = (struct journal_state){.dropped = 1234};
	recorder_trouble(&ring, &journal, 0, text, sizeof text);
	assert_string_equal(text, ""); /* an event has told it, for good */
}

static void add_tick(struct ring *ring, nsec at)
{
	static const uint8_t byte = 1;

	assert_true(ring_add(ring, &(struct ring_tick){at, true, &byte, 1}));
}

/* Waits until the journal says so, or until the ring has nothing left to write. */
static void wait_until_written(struct recorder *recorder)
{
	struct pollfd item = {recorder->bell, POLLIN, 0};
	struct ring_state ring;

	for (;;) {
		ring_look(&recorder->ring, &ring);
		if (!ring.unsaved)
			return;
		assert_true(poll(&item, 1, -1) > 0);
		loop_silence(recorder->bell);
	}
}

/* An hour is no time of this test: a tick of then has not waited yet, whatever else
 * the machine does. */
static void viewers_get_ticks_that_are_in_the_file_or_wait_for_long(void **state)
{
	const nsec hour = 3600 * NSEC_PER_SEC;
	const char *path = folder_path("shown.weir");
	struct store *store = store_open(path, STORE_CREATE, &fault);
	struct recorder *recorder = xalloc(sizeof *recorder);
	uint64_t shown;
	sqlite3 *holder;
	nsec now;

	(void)state;
	assert_non_null(store);
	recorder->bell = loop_bell(&fault);
	ring_init(&recorder->ring, 4096, 16, 4 * hour);
	recorder->journal =
		journal_new(store, path, &recorder->ring, recorder->bell, &fault);
	assert_non_null(recorder->journal);
	assert_int_equal(recorder_held(recorder, &shown), 0);
	assert_int_equal(shown, 0);

	now = recorder_now(recorder);
	add_tick(&recorder->ring, now - hour);
	journal_kick(recorder->journal);
	wait_until_written(recorder); /* the bell rings for ticks, too */
	assert_int_equal(sqlite3_open(path, &holder), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(holder, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	add_tick(&recorder->ring, now + hour);
	assert_true(recorder_held(recorder, &shown) > hour);
	assert_int_equal(shown, 1); /* the one that is in the file */
	assert_int_equal(sqlite3_exec(holder, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
	journal_kick(recorder->journal);
	wait_until_written(recorder);
	assert_int_equal(recorder_held(recorder, &shown), 0);
	assert_int_equal(shown, 2);
	assert_true(journal_end(recorder->journal, 60 * NSEC_PER_SEC));

	add_tick(&recorder->ring, now - hour); /* nobody writes it */
	assert_int_equal(recorder_held(recorder, &shown), 0);
	assert_int_equal(shown, 3);
	journal_free(recorder->journal);
	assert_int_equal(sqlite3_close(holder), SQLITE_OK);
	ring_fini(&recorder->ring);
	(void)close(recorder->bell); /* an event's descriptor */
	free(recorder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_packets_do_not_fill_the_memory),
		cmocka_unit_test(
			viewers_get_ticks_that_are_in_the_file_or_wait_for_long),
		cmocka_unit_test(
			what_is_written_to_a_file_that_is_gone_is_not_called_saved),
		cmocka_unit_test(lost_packets_are_said_while_the_disk_is_away),
	};

	return cmocka_run_group_tests(tests, folder_begin, folder_end);
}
