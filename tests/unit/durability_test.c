/* What a session file survives: the recorder killed at any moment, a full disk, a
 * folder that cannot be written. */
#include "config.h"

#include "store/store.h"

#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct fault fault;

/* SQLite's syncs land here, since the program's own functions come first. */
static int syncs;

int fdatasync(int fd)
{
	syncs++;
	return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
	syncs++;
	return (int)syscall(SYS_fsync, fd);
}

static bool put(struct store *store, nsec at)
{
	return store_tick(store, at, at == 0, (const uint8_t *)"tick", 4, &fault);
}

static int run_sql(void *sum, int columns, char **values, char **names)
{
	(void)names;
	if (columns && values[0])
		(void)snprintf(sum, 64, "%s", values[0]);
	return 0;
}

/* The answer to SQL, by SQLite itself, at most 63 bytes. */
static const char *ask(const char *name, const char *sql)
{
	static char answer[64];
	sqlite3 *db = NULL;

	answer[0] = 0;
	assert_int_equal(sqlite3_open(folder_path(name), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, run_sql, answer, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return answer;
}

static void ticks_are_not_synced_and_marks_are(void **state)
{
	struct store *store =
		store_open(folder_path("syncs.weir"), STORE_CREATE, &fault);
	struct windows windows = {.count = 0};
	nsec at = 0;

	(void)state;
	assert_non_null(store);
	assert_true(put(store, at++)); /* begins the log, which syncs its head once */
	syncs = 0;
	for (int i = 0; i < 50; i++)
		assert_true(put(store, at++));
	assert_int_equal(syncs, 0);
	windows_put(&windows, &(struct window){.id = 1, .name = "BEFORE", .to = 9});
	assert_true(store_windows(store, &windows, &fault));
	assert_true(syncs > 0);
	syncs = 0;
	assert_true(put(store, at++));
	assert_int_equal(syncs, 0); /* back to none */
	assert_true(store_event(store,
		&(struct note){.id = 7, .kind = NOTE_EVENT, .text = "x"}, &fault));
	assert_int_equal(syncs, 0); /* nobody waits for an event */
	assert_true(store_note(store, &(struct note){.id = 1, .text = "x"}, &fault));
	assert_true(syncs > 0);
	syncs = 0;
	assert_true(store_run(store, &(struct run){.number = 1}, &fault));
	assert_true(syncs > 0);
	syncs = 0;
	assert_true(store_sync(store, &fault));
	assert_true(syncs > 1); /* the log and the file */
	store_close(store);
	windows_fini(&windows);
}

static void the_log_does_not_grow_for_ever(void **state)
{
	static uint8_t data[4000];
	struct store *store = store_open(folder_path("log.weir"), STORE_CREATE, &fault);
	struct stat st;

	(void)state;
	for (nsec at = 0; at < 3000; at++) {
		assert_true(store_tick(store, at, at == 0, data, sizeof data, &fault));
		if (at % 30 == 29)
			assert_true(store_sync(store, &fault));
	}
	assert_int_equal(stat(folder_path("log.weir-wal"), &st), 0);
	assert_true(st.st_size < 2000000);
	store_close(store);
}

/* A recorder that ticks and marks until it is killed, and says each mark that was
 * saved. Not one of its own memory survives. */
static void record_until_killed(int out, uint32_t id, nsec at)
{
	struct store *store =
		store_open(folder_path("killed.weir"), STORE_WRITE, &fault);
	struct session *session = session_new("", 0);
	struct windows windows = {.count = 0};

	if (!store || !store_load(store, session, &fault))
		_exit(1);
	for (size_t i = 0; i < session->windows.count; i++)
		windows_put(&windows, &session->windows.list[i]);
	for (;;) {
		for (int i = 0; i < 7; i++)
			if (!put(store, at++))
				_exit(2);
		windows_put(&windows,
			&(struct window){
				.id = ++id, .name = "m", .from = at - 7, .to = at});
		if (!store_windows(store, &windows, &fault) ||
			write(out, &id, sizeof id) != sizeof id)
			_exit(3);
		if (id % 5 == 0 && !store_sync(store, &fault))
			_exit(4);
	}
}

/* Kills it after MARKS more saved marks; returns the last that it said. */
static uint32_t one_life(uint32_t id, nsec at, int marks)
{
	int pipe_ends[2];
	uint32_t said;
	pid_t child;

	assert_int_equal(pipe(pipe_ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		(void)close(pipe_ends[0]);
		record_until_killed(pipe_ends[1], id, at);
	}
	(void)close(pipe_ends[1]);
	while (read(pipe_ends[0], &said, sizeof said) == sizeof said) {
		id = said;
		if (!--marks)
			(void)kill(child, SIGKILL);
	}
	(void)close(pipe_ends[0]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_true(marks <= 0);
	return id;
}

static void every_saved_mark_survives_kill_9(void **state)
{
	struct store *store =
		store_open(folder_path("killed.weir"), STORE_CREATE, &fault);
	uint32_t id = 0;
	nsec first = 0, last = -1;

	(void)state;
	assert_non_null(store);
	store_close(store);
	for (int life = 0; life < 20; life++) {
		struct session *session = session_new("", 0);

		id = one_life(id, last + 1, 1 + life % 4);
		store = store_open(folder_path("killed.weir"), STORE_READ, &fault);
		assert_non_null(store);
		assert_true(store_load(store, session, &fault));
		for (uint32_t i = 1; i <= id; i++)
			assert_non_null(windows_by_id(&session->windows, i));
		assert_true(store_span(store, &first, &last));
		/* No tick before the last mark is missing. */
		assert_true(last + 1 >= windows_by_id(&session->windows, id)->to);
		assert_int_equal(store_tick_count(store), last + 1);
		id = session->windows.list[session->windows.count - 1].id;
		store_close(store);
		session_free(session);
	}
	assert_string_equal(ask("killed.weir", "PRAGMA integrity_check"), "ok");
}

/* A session whose recorder was killed: its last ticks and marks are in the log. */
static void leave_behind(const char *name)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		struct store *store =
			store_open(folder_path(name), STORE_CREATE, &fault);
		struct windows windows = {.count = 0};

		windows_put(&windows, &(struct window){.id = 1, .name = "m", .to = 9});
		if (!store || !put(store, 0) || !put(store, 1) ||
			!store_windows(store, &windows, &fault))
			_exit(1);
		(void)kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_true(folder_has(name));
}

static void read_left_behind(const char *name)
{
	struct session *session = session_new("", 0);
	struct store *store = store_open(folder_path(name), STORE_READ, &fault);

	if (!store)
		fail_msg("%s", fault.text);
	assert_true(store_load(store, session, &fault));
	assert_int_equal(session->windows.count, 1);
	assert_int_equal(store_tick_count(store), 2);
	store_close(store);
	session_free(session);
}

static void reading_what_a_killed_recorder_left_changes_nothing(void **state)
{
	unsigned long long file, log;

	(void)state;
	leave_behind("left.weir");
	file = folder_sum("left.weir");
	log = folder_sum("left.weir-wal");
	assert_true(log != 0);
	for (int i = 0; i < 3; i++)
		read_left_behind("left.weir");
	assert_true(folder_sum("left.weir") == file);
	assert_true(folder_sum("left.weir-wal") == log);
}

/* Becomes somebody for whom the folder cannot be written; root always could. */
static void become_nobody(void)
{
	if (geteuid())
		return;
	if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
		_exit(77);
}

static int in_child(void (*body)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		body();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void read_without_rights(void)
{
	static const char *const names[] = {
		"still/closed.weir", "still/log.weir", "still/index.weir"};

	become_nobody();
	for (size_t i = 0; i < 3; i++) {
		struct session *session = session_new("", 0);
		struct store *store =
			store_open(folder_path(names[i]), STORE_READ, &fault);

		if (!store || !store_load(store, session, &fault) ||
			session->windows.count != 1 || store_tick_count(store) != 2) {
			(void)fprintf(stderr, "%s: %s\n", names[i], fault.text);
			_exit(1);
		}
		store_close(store);
		session_free(session);
	}
	if (store_open(folder_path("still/closed.weir"), STORE_WRITE, &fault))
		_exit(2);
	_exit(0);
}

static void copy(const char *to, const char *from)
{
	struct stat st;

	assert_int_equal(stat(folder_path(from), &st), 0);
	folder_cut(to, from, (size_t)st.st_size);
	assert_int_equal(chmod(folder_path(to), 0444), 0);
}

static void a_folder_that_cannot_be_written_can_be_read(void **state)
{
	struct store *store;
	int status;

	(void)state;
	leave_behind("l.weir");
	assert_int_equal(chmod(folder_path(""), 0711), 0);
	assert_int_equal(mkdir(folder_path("still"), 0755), 0);
	copy("still/log.weir", "l.weir");
	copy("still/log.weir-wal", "l.weir-wal");
	copy("still/index.weir", "l.weir");
	copy("still/index.weir-wal", "l.weir-wal");
	copy("still/index.weir-shm", "l.weir-shm");
	store = store_open(folder_path("l.weir"), STORE_WRITE, &fault);
	assert_non_null(store);
	store_close(store);
	copy("still/closed.weir", "l.weir");
	assert_int_equal(chmod(folder_path("still"), 0555), 0);
	status = in_child(read_without_rights);
	assert_int_equal(chmod(folder_path("still"), 0755), 0);
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
	assert_false(folder_has("still/closed.weir-wal"));
	assert_false(folder_has("still/log.weir-shm"));
}

/* In a mount namespace of its own: a disk of 1 MiB, filled up and emptied again. */
static void fill_a_disk(void)
{
	static const uint8_t data[2000] = {1}, filler[400000] = {1};
	struct store *store;
	nsec at = 0;
	bool full = false;

	if (unshare(CLONE_NEWNS) ||
		mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
		mount("tmpfs", folder_path("small"), "tmpfs", 0, "size=1m"))
		_exit(77);
	store = store_open(folder_path("small/s.weir"), STORE_CREATE, &fault);
	if (!store)
		_exit(1);
	folder_write("small/filler", filler, sizeof filler);
	for (; at < 2000 && !full; at += !full)
		full = !store_tick(store, at, at == 0, data, sizeof data, &fault);
	if (!full || fault.code != ENOSPC || !strstr(fault.text, "full"))
		_exit(2);
	while (store_note(store, &(struct note){.id = 1, .text = "x"}, &fault))
		continue; /* a note is small: some may still fit */
	if (fault.code != ENOSPC)
		_exit(3);
	if (store_begin(store, &fault) &&
		store_tick(store, at, false, data, sizeof data, &fault) &&
		store_end(store, &fault))
		_exit(4);
	if (store_tick_count(store) != (uint64_t)at)
		_exit(5);
	if (unlink(folder_path("small/filler")))
		_exit(6);
	/* The tick that failed, and those after it, in order. */
	for (nsec last = at + 20; at < last; at++)
		if (!store_tick(store, at, false, data, sizeof data, &fault))
			_exit(7);
	if (!store_note(store, &(struct note){.id = 1, .text = "x"}, &fault) ||
		store_tick_count(store) != (uint64_t)at)
		_exit(8);
	store_close(store);
	_exit(strcmp(ask("small/s.weir", "PRAGMA integrity_check"), "ok") ? 9 : 0);
}

static void a_full_disk_loses_nothing_that_was_written(void **state)
{
	int status;

	(void)state;
	assert_int_equal(mkdir(folder_path("small"), 0700), 0);
	status = in_child(fill_a_disk);
	if (status == 77) {
		print_message("no right to mount a small disk here\n");
		skip();
	}
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_are_not_synced_and_marks_are),
		cmocka_unit_test(the_log_does_not_grow_for_ever),
		cmocka_unit_test(every_saved_mark_survives_kill_9),
		cmocka_unit_test(reading_what_a_killed_recorder_left_changes_nothing),
		cmocka_unit_test(a_folder_that_cannot_be_written_can_be_read),
		cmocka_unit_test(a_full_disk_loses_nothing_that_was_written),
	};

	return cmocka_run_group_tests_name(
		"durability", tests, folder_begin, folder_end);
}
