/* What is refused as a session, by name and untouched: files that are newer, foreign
 * or damaged; and what becomes of damage inside. */
#include "config.h"

#include "store/store.h"

#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct fault fault;

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

/* Refused in every mode with WORDS, and not a byte of it changed. */
static void assert_refused(const char *name, const char *words)
{
	static const enum store_mode modes[] = {STORE_READ, STORE_WRITE};
	unsigned long long sum = folder_sum(name);

	for (size_t i = 0; i < 2; i++) {
		fault = (struct fault){.code = 0};
		assert_null(store_open(folder_path(name), modes[i], &fault));
		if (!strstr(fault.text, words) || !strstr(fault.text, name))
			fail_msg("%s: \"%s\"", name, fault.text);
		assert_true(folder_sum(name) == sum);
	}
}

static void make(const char *name)
{
	struct store *store = store_open(folder_path(name), STORE_CREATE, &fault);

	assert_non_null(store);
	for (nsec at = 0; at < 100; at++)
		assert_true(put(store, at));
	store_close(store);
}

static void a_file_of_a_newer_weir_is_named_as_such(void **state)
{
	(void)state;
	make("newer.weir");
	(void)ask("newer.weir", "PRAGMA user_version=99");
	assert_refused("newer.weir", "newer weir (format 99");
}

static void files_that_are_no_sessions_are_refused(void **state)
{
	static uint8_t noise[20000];

	(void)state;
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (uint8_t)(i * i >> 3);
	folder_write("noise.weir", noise, sizeof noise);
	assert_refused("noise.weir", "not a weir session");
	folder_write("nothing.weir", "", 0);
	assert_refused("nothing.weir", "not a weir session");
	folder_write("text.weir", "Dear diary,\n", 12);
	assert_refused("text.weir", "not a weir session");
	(void)ask("other.weir", "CREATE TABLE ticks(at)");
	assert_refused("other.weir", "not a weir session");
	assert_null(store_open(folder_path("missing.weir"), STORE_READ, &fault));
	assert_int_equal(fault.code, ENOENT);
	assert_false(folder_has("missing.weir"));
}

/* Nobody writes into the pipe: whoever opens it waits for ever. */
static void what_is_no_file_is_refused_at_once(void **state)
{
	static const char *const names[] = {"pipe.weir", "folder.weir"};

	(void)state;
	assert_int_equal(mkfifo(folder_path(names[0]), 0600), 0);
	assert_int_equal(mkdir(folder_path(names[1]), 0700), 0);
	(void)alarm(30);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_null(store_open(folder_path(names[i]), STORE_READ, &fault));
		assert_non_null(strstr(fault.text, "no file at all"));
		assert_null(store_open(folder_path(names[i]), STORE_WRITE, &fault));
		assert_non_null(strstr(fault.text, names[i]));
	}
	(void)alarm(0);
	assert_int_equal(rmdir(folder_path(names[1])), 0);
}

static void files_that_were_cut_are_refused(void **state)
{
	(void)state;
	make("whole.weir");
	folder_cut("cut.weir", "whole.weir", 9000);
	assert_refused("cut.weir", "damaged");
	folder_cut("stub.weir", "whole.weir", 40);
	assert_refused("stub.weir", "damaged");
}

/* Whatever byte of a session is damaged: figures or a fault, but no crash. */
static void damage_inside_is_a_fault_or_a_gap(void **state)
{
	struct stat st;

	(void)state;
	make("sound.weir");
	assert_int_equal(stat(folder_path("sound.weir"), &st), 0);
	for (off_t at = 100; at < st.st_size; at += 97) {
		struct session *session = session_new("", 4);
		struct store *store;
		int fd;

		folder_cut("bent.weir", "sound.weir", (size_t)st.st_size);
		fd = open(folder_path("bent.weir"), O_WRONLY | O_CLOEXEC);
		assert_true(pwrite(fd, "\xff\xfe\x80\x81", 4, at) == 4);
		assert_int_equal(close(fd), 0);
		store = store_open(folder_path("bent.weir"), STORE_READ, &fault);
		if (store && store_load(store, session, &fault))
			(void)store_replay(
				store, INT64_MIN, INT64_MAX, session, &fault);
		store_close(store);
		session_free(session);
	}
}

static void hostile_rows_are_brought_into_range(void **state)
{
	struct session *session = session_new("", 4);
	struct store *store;

	(void)state;
	make("hostile.weir");
	(void)ask("hostile.weir",
		"INSERT INTO windows VALUES(1,'nonsense','a'||char(27)||'[31m',"
		"-9223372036854775808,9223372036854775807,x'ff',9,1e300,'');"
		"INSERT INTO meta VALUES('name','x'||char(10)||'y');");
	store = store_open(folder_path("hostile.weir"), STORE_READ, &fault);
	assert_non_null(store);
	assert_true(store_load(store, session, &fault));
	assert_true(store_replay(store, 0, INT64_MAX, session, &fault));
	assert_string_equal(session->name, "x?y");
	assert_int_equal(session->windows.count, 1);
	assert_int_equal(session->windows.list[0].role, ROLE_OTHER);
	assert_string_equal(session->windows.list[0].name, "a?[31m");
	(void)session_coverage(session, 1);
	/* The hundred ticks of four letters are no ticks: said, and left out. */
	assert_int_equal(session->ticks, 0);
	assert_int_equal(session->note_count, 1);
	assert_non_null(strstr(session->notes[0].text, "damaged"));
	store_close(store);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_of_a_newer_weir_is_named_as_such),
		cmocka_unit_test(files_that_are_no_sessions_are_refused),
		cmocka_unit_test(what_is_no_file_is_refused_at_once),
		cmocka_unit_test(files_that_were_cut_are_refused),
		cmocka_unit_test(damage_inside_is_a_fault_or_a_gap),
		cmocka_unit_test(hostile_rows_are_brought_into_range),
	};

	return cmocka_run_group_tests_name("refuse", tests, folder_begin, folder_end);
}
