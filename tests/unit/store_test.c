/* The session file: what was written is read back, and a reader never changes it.
 * What happens when things go wrong is in durability_test.c. */
#include "config.h"

#include "store/store.h"

#include "base/text.h"
#include "feed.h"
#include "folder.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define S NSEC_PER_SEC

static struct fault fault;

/* A session at PATH with TICKS ticks of one disk that reads 10 more in each. */
static void record(const char *path, uint64_t ticks)
{
	struct store *store = store_open(path, STORE_CREATE, &fault);
	struct feed feed;
	uint32_t disk;

	assert_non_null(store);
	feed_init(&feed, NULL);
	disk = feed_subject(&feed, KIND_DISK, "sda", "wwid-1");
	for (uint64_t i = 0; i < ticks; i++) {
		feed_set(&feed, disk, RAW_DISK_READ_OPS, 10 * i);
		feed_tick(&feed, S, 0);
		assert_true(store_tick(store, feed.tick.at, feed.full, feed.bytes.data,
			feed.bytes.size, &fault));
	}
	feed_fini(&feed);
	store_close(store);
}

static const struct run one_run = {.number = 2,
	.from = 5 * S,
	.wall = 1790000000 * S,
	.boot_id = "b-1",
	.kernel = "6.1.0",
	.host = "db07",
	.version = "0.1"};
static const struct window one_window = {.id = 7,
	.role = ROLE_RUN,
	.name = "copy",
	.from = 3 * S,
	.to = WINDOW_OPEN,
	.author = "root",
	.backwards = true,
	.exit_status = -1,
	.command = "cp -a a b"};
static char one_body[] = "port 7\tCRC 12\nport 8\tCRC 0\n";
static const struct note one_note = {.id = 3,
	.kind = NOTE_ATTACHMENT,
	.at = 9 * S,
	.author = "root",
	.text = "switch",
	.body = one_body};

static void assert_all_there(const struct session *session)
{
	assert_string_equal(session->name, "hba2nic");
	assert_int_equal(session->run_count, 1);
	assert_int_equal(session->runs[0].number, 2);
	assert_int_equal(session->runs[0].from, 5 * S);
	assert_int_equal(session->runs[0].wall, one_run.wall);
	assert_string_equal(session->runs[0].boot_id, "b-1");
	assert_string_equal(session->runs[0].kernel, "6.1.0");
	assert_string_equal(session->runs[0].host, "db07");
	assert_string_equal(session->runs[0].version, "0.1");
	assert_int_equal(session->windows.count, 1);
	assert_int_equal(session->windows.list[0].id, 7);
	assert_int_equal(session->windows.list[0].role, ROLE_RUN);
	assert_string_equal(session->windows.list[0].name, "copy");
	assert_int_equal(session->windows.list[0].from, 3 * S);
	assert_int_equal(session->windows.list[0].to, WINDOW_OPEN);
	assert_string_equal(session->windows.list[0].author, "root");
	assert_true(session->windows.list[0].backwards);
	assert_int_equal(session->windows.list[0].exit_status, -1);
	assert_string_equal(session->windows.list[0].command, "cp -a a b");
	assert_int_equal(session->note_count, 1);
	assert_int_equal(session->notes[0].id, 3);
	assert_int_equal(session->notes[0].kind, NOTE_ATTACHMENT);
	assert_int_equal(session->notes[0].at, 9 * S);
	assert_string_equal(session->notes[0].author, "root");
	assert_string_equal(session->notes[0].text, "switch");
	assert_string_equal(session->notes[0].body, one_body);
}

static void everything_written_is_read_back(void **state)
{
	const char *path = folder_path("all.weir");
	struct store *store = store_open(path, STORE_CREATE, &fault);
	struct session *session = session_new("", 10);
	struct windows windows = {.count = 0};

	(void)state;
	assert_non_null(store);
	windows_put(&windows, &one_window);
	assert_true(store_meta_set(store, "name", "hba2nic", &fault));
	assert_true(store_run(store, &one_run, &fault));
	assert_true(store_windows(store, &windows, &fault));
	assert_true(store_note(store, &one_note, &fault));
	store_close(store);
	store = store_open(path, STORE_READ, &fault);
	assert_non_null(store);
	assert_true(store_load(store, session, &fault));
	assert_all_there(session);
	store_close(store);
	windows_fini(&windows);
	session_free(session);
}

static void windows_and_notes_are_replaced_and_removed(void **state)
{
	struct store *store =
		store_open(folder_path("replaced.weir"), STORE_CREATE, &fault);
	struct session *session = session_new("", 0);
	struct windows windows = {.count = 0};

	(void)state;
	windows_put(&windows, &(struct window){.id = 1, .name = "a", .to = 5});
	windows_put(&windows,
		&(struct window){.id = 2, .name = "b", .to = 5, .planned = true});
	assert_true(store_windows(store, &windows, &fault));
	windows_remove(&windows, 1);
	assert_true(store_windows(store, &windows, &fault));
	windows_put(&windows,
		&(struct window){.id = 3, .name = "c", .to = 5, .unseen = true});
	assert_true(store_windows(store, &windows, &fault));
	assert_true(store_note(store, &(struct note){.id = 1, .text = "x"}, &fault));
	assert_true(store_note(store, &(struct note){.id = 1, .text = "y"}, &fault));
	assert_true(store_note(store, &(struct note){.id = 2, .text = "z"}, &fault));
	assert_true(store_remove_note(store, 2, &fault));
	assert_true(store_load(store, session, &fault));
	assert_int_equal(session->windows.count, 2);
	assert_string_equal(session->windows.list[0].name, "b");
	assert_false(session->windows.list[0].unseen);
	assert_true(session->windows.list[1].unseen);
	assert_false(session->windows.list[1].planned);
	assert_true(session->windows.list[0].planned);
	assert_false(session->windows.list[0].backwards);
	assert_int_equal(session->note_count, 1);
	assert_string_equal(session->notes[0].text, "y");
	store_close(store);
	windows_fini(&windows);
	session_free(session);
}

static void a_replay_gives_the_figures_of_the_ticks_asked_for(void **state)
{
	const char *path = folder_path("replay.weir");
	struct session *session = session_new("", 2000);
	struct store *store;
	nsec first = 0, last = 0;

	(void)state;
	record(path, 1500); /* with full ticks at 1, 601 and 1201 s */
	store = store_open(path, STORE_READ, &fault);
	assert_non_null(store);
	assert_true(store_span(store, &first, &last));
	assert_int_equal(first, 1 * S);
	assert_int_equal(last, 1500 * S);
	assert_int_equal(store_tick_count(store), 1500);
	assert_true(store_replay(store, 700 * S, 800 * S, session, &fault));
	assert_int_equal(session->ticks, 101);
	assert_int_equal(session->last.at, 800 * S);
	assert_true(session_figure(session, 0, "disk.read.ops")->value == 10);
	assert_int_equal(session->gap_count, 0);
	store_close(store);
	session_free(session);
}

struct seen {
	nsec first, last;
	uint64_t count, stop;
	bool first_full;
};

static bool see(void *context, nsec at, bool full, const uint8_t *data, size_t size)
{
	struct seen *seen = context;

	assert_non_null(data);
	assert_true(size > 0);
	if (!seen->count) {
		seen->first = at;
		seen->first_full = full;
	}
	seen->last = at;
	return ++seen->count != seen->stop;
}

static void ticks_begin_at_the_full_one_before(void **state)
{
	const char *path = folder_path("full.weir");
	struct seen seen = {.stop = 0};
	struct store *store;

	(void)state;
	record(path, 1300);
	store = store_open(path, STORE_READ, &fault);
	assert_true(store_ticks(store, 1000 * S, 1100 * S, see, &seen, &fault));
	assert_int_equal(seen.first, 601 * S);
	assert_true(seen.first_full);
	assert_int_equal(seen.last, 1100 * S);
	seen = (struct seen){.stop = 3};
	assert_true(store_ticks(store, INT64_MIN, INT64_MAX, see, &seen, &fault));
	assert_int_equal(seen.first, S);
	assert_int_equal(seen.count, 3);
	store_close(store);
}

static void an_empty_session_has_no_span(void **state)
{
	nsec first, last;
	struct store *store =
		store_open(folder_path("empty.weir"), STORE_CREATE, &fault);

	(void)state;
	assert_non_null(store);
	assert_false(store_span(store, &first, &last));
	assert_int_equal(store_tick_count(store), 0);
	store_close(store);
}

static void a_new_file_is_for_its_owner_only_and_never_replaces_one(void **state)
{
	const char *path = folder_path("new.weir");
	struct stat st;

	(void)state;
	record(path, 3);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_null(store_open(path, STORE_CREATE, &fault));
	assert_int_equal(fault.code, EEXIST);
	assert_non_null(strstr(fault.text, path));
}

static void a_closed_session_is_one_file(void **state)
{
	(void)state;
	record(folder_path("one.weir"), 3);
	assert_false(folder_has("one.weir-wal"));
	assert_false(folder_has("one.weir-shm"));
}

static void a_recording_resumes_where_it_ended(void **state)
{
	const char *path = folder_path("resumed.weir");
	struct store *store;

	(void)state;
	record(path, 5);
	store = store_open(path, STORE_WRITE, &fault);
	assert_non_null(store);
	assert_true(store_tick(store, 77 * S, true, (const uint8_t *)"x", 1, &fault));
	store_close(store);
	store = store_open(path, STORE_READ, &fault);
	assert_int_equal(store_tick_count(store), 6);
	store_close(store);
}

static void a_reader_sees_the_live_session_and_cannot_write(void **state)
{
	const char *path = folder_path("live.weir");
	struct store *writer = store_open(path, STORE_CREATE, &fault);
	struct store *reader;

	(void)state;
	assert_non_null(writer);
	assert_true(store_tick(writer, 1, true, (const uint8_t *)"x", 1, &fault));
	reader = store_open(path, STORE_READ, &fault);
	assert_non_null(reader);
	assert_int_equal(store_tick_count(reader), 1);
	assert_true(store_begin(writer, &fault));
	assert_true(store_tick(writer, 2, false, (const uint8_t *)"y", 1, &fault));
	assert_int_equal(store_tick_count(reader), 1); /* not committed yet */
	assert_true(store_end(writer, &fault));
	assert_int_equal(store_tick_count(reader), 2);
	assert_true(store_sync(writer, &fault));
	assert_false(store_tick(reader, 3, false, (const uint8_t *)"z", 1, &fault));
	assert_int_equal(fault.code, EROFS);
	store_close(writer);
	assert_int_equal(store_tick_count(reader), 2);
	store_close(reader);
}

/* A reader in the middle of a long read holds nobody up. */
static bool write_meanwhile(
	void *context, nsec at, bool full, const uint8_t *data, size_t size)
{
	struct store *writer = context;

	(void)full;
	(void)data;
	(void)size;
	assert_true(store_tick(writer, at + 1, false, (const uint8_t *)"n", 1, &fault));
	assert_true(store_windows(writer, &(struct windows){.count = 0}, &fault));
	assert_true(store_sync(writer, &fault));
	return true;
}

static void a_slow_reader_holds_up_no_writer(void **state)
{
	const char *path = folder_path("slow.weir");
	struct store *writer, *reader;

	(void)state;
	record(path, 20);
	writer = store_open(path, STORE_WRITE, &fault);
	reader = store_open(path, STORE_READ, &fault);
	assert_true(store_ticks(reader, 0, INT64_MAX, write_meanwhile, writer, &fault));
	assert_int_equal(store_tick_count(reader), 40);
	store_close(reader);
	store_close(writer);
}

static void a_batch_is_one_transaction_and_takes_no_marks(void **state)
{
	const char *path = folder_path("batch.weir");
	struct store *store = store_open(path, STORE_CREATE, &fault);

	(void)state;
	assert_true(store_begin(store, &fault));
	assert_true(store_tick(store, 1, true, (const uint8_t *)"x", 1, &fault));
	assert_false(store_windows(store, &(struct windows){.count = 0}, &fault));
	assert_true(store_tick(store, 2, false, (const uint8_t *)"x", 1, &fault));
	assert_true(store_tick(store, 2, false, (const uint8_t *)"y", 1, &fault));
	assert_true(store_end(store, &fault));
	assert_int_equal(store_tick_count(store), 2);
	store_close(store);
}

static void a_copy_is_one_closed_file_of_a_live_session(void **state)
{
	const char *path = folder_path("copied.weir");
	char copy[4096];
	struct stat st;
	struct store *writer, *reader;

	(void)state;
	assert_true(text_format(copy, sizeof copy, "%s", folder_path("copy.weir")));
	record(path = folder_path("copied.weir"), 5);
	writer = store_open(path, STORE_WRITE, &fault);
	assert_true(store_tick(writer, 99 * S, true, (const uint8_t *)"x", 1, &fault));
	reader = store_open(path, STORE_READ, &fault);
	assert_true(store_copy(reader, copy, &fault));
	assert_false(store_copy(reader, copy, &fault));
	assert_int_equal(fault.code, EEXIST);
	store_close(reader);
	store_close(writer);
	assert_false(folder_has("copy.weir-wal"));
	assert_int_equal(stat(copy, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	reader = store_open(copy, STORE_READ, &fault);
	assert_non_null(reader);
	assert_int_equal(store_tick_count(reader), 6);
	store_close(reader);
	writer = store_open(copy, STORE_WRITE, &fault);
	assert_non_null(writer);
	assert_true(store_tick(writer, 100 * S, true, (const uint8_t *)"x", 1, &fault));
	store_close(writer);
}

static void odd_names_of_files_are_only_names(void **state)
{
	static const char *const names[] = {"a?mode=memory.weir", "b%41 #.weir",
		"file:c.weir", ":memory:.weir", "d'\".weir"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct store *store;

		record(folder_path(names[i]), 2);
		assert_true(folder_has(names[i]));
		store = store_open(folder_path(names[i]), STORE_READ, &fault);
		assert_non_null(store);
		assert_int_equal(store_tick_count(store), 2);
		store_close(store);
	}
}

static void texts_are_bound_and_never_run(void **state)
{
	const char *path = folder_path("bound.weir");
	struct store *store = store_open(path, STORE_CREATE, &fault);
	char value[64];

	(void)state;
	assert_true(store_meta_set(store, "name", "x'); DROP TABLE ticks; --", &fault));
	assert_true(store_note(store,
		&(struct note){.id = 1, .text = "'); DELETE FROM meta; --"}, &fault));
	assert_true(store_meta(store, "name", value, sizeof value));
	assert_string_equal(value, "x'); DROP TABLE ticks; --");
	assert_false(store_meta(store, "nothing", value, sizeof value));
	assert_int_equal(store_tick_count(store), 0);
	store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_written_is_read_back),
		cmocka_unit_test(windows_and_notes_are_replaced_and_removed),
		cmocka_unit_test(a_replay_gives_the_figures_of_the_ticks_asked_for),
		cmocka_unit_test(ticks_begin_at_the_full_one_before),
		cmocka_unit_test(an_empty_session_has_no_span),
		cmocka_unit_test(
			a_new_file_is_for_its_owner_only_and_never_replaces_one),
		cmocka_unit_test(a_closed_session_is_one_file),
		cmocka_unit_test(a_recording_resumes_where_it_ended),
		cmocka_unit_test(a_reader_sees_the_live_session_and_cannot_write),
		cmocka_unit_test(a_slow_reader_holds_up_no_writer),
		cmocka_unit_test(a_batch_is_one_transaction_and_takes_no_marks),
		cmocka_unit_test(a_copy_is_one_closed_file_of_a_live_session),
		cmocka_unit_test(odd_names_of_files_are_only_names),
		cmocka_unit_test(texts_are_bound_and_never_run),
	};

	return cmocka_run_group_tests_name("store", tests, folder_begin, folder_end);
}
