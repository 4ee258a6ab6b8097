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
		assert_non_null(strstr(fault.text, "not even a file"));
		assert_null(store_open(folder_path(names[i]), STORE_WRITE, &fault));
		assert_non_null(strstr(fault.text, names[i]));
	}
	(void)alarm(0);
	assert_int_equal(rmdir(folder_path(names[1])), 0);
}

static bool count_tick(
	void *count, nsec at, bool full, const uint8_t *data, size_t size)
{
	(void)at;
	(void)full;
	(void)data;
	(void)size;
	++*(int *)count;
	return true;
}

/* Full ticks every fifty of two thousand, large enough for hundreds of pages. */
static void make_long(const char *name)
{
	static const uint8_t data[400];
	struct store *store = store_open(folder_path(name), STORE_CREATE, &fault);

	assert_non_null(store);
	assert_true(store_begin(store, &fault));
	for (nsec at = 0; at < 2000; at++)
		assert_true(
			store_tick(store, at, at % 50 == 0, data, sizeof data, &fault));
	assert_true(store_end(store, &fault));
	store_close(store);
}

/* How many ticks a reader gets; whether it is told of damage. */
static int readable(const char *name, bool *damaged)
{
	struct store *store = store_open(folder_path(name), STORE_READ, &fault);
	struct session *session = session_new("", 4);
	int count = 0;

	assert_non_null(store);
	assert_true(store_load(store, session, &fault));
	assert_true(
		store_ticks(store, INT64_MIN, INT64_MAX, count_tick, &count, &fault));
	*damaged = store_damage(store, &fault);
	store_close(store);
	session_free(session);
	return count;
}

static void a_recorder_writes_nothing_into_a_damaged_file(void **state)
{
	unsigned long long sum;

	(void)state;
	make("whole.weir");
	folder_cut("cut.weir", "whole.weir", 9000);
	sum = folder_sum("cut.weir");
	assert_null(store_open(folder_path("cut.weir"), STORE_WRITE, &fault));
	assert_non_null(strstr(fault.text, "is damaged: nothing more is written"));
	assert_true(folder_sum("cut.weir") == sum);
	folder_cut("stub.weir", "whole.weir", 40);
	assert_refused("stub.weir", "damaged");
}

static void a_file_that_ends_too_early_is_read_up_to_there(void **state)
{
	unsigned long long sum;
	struct stat st;
	bool damaged;
	int count;

	(void)state;
	make_long("long.weir");
	assert_int_equal(readable("long.weir", &damaged), 2000);
	assert_false(damaged);
	assert_int_equal(stat(folder_path("long.weir"), &st), 0);
	folder_cut("half.weir", "long.weir", (size_t)(st.st_size / 8192 * 4096));
	sum = folder_sum("half.weir");
	count = readable("half.weir", &damaged);
	assert_true(damaged);
	assert_true(count > 700 && count < 1300);
	assert_non_null(strstr(fault.text, "is damaged: this is what could be read"));
	assert_true(folder_sum("half.weir") == sum);
}

/* Of a page in the middle no more is lost than up to the next full tick. */
static void reading_goes_on_behind_a_damaged_place(void **state)
{
	static const uint8_t zeros[4096];
	unsigned long long sum;
	bool damaged;
	int count;
	int fd;

	(void)state;
	make_long("hole.weir");
	fd = open(folder_path("hole.weir"), O_WRONLY | O_CLOEXEC);
	assert_true(pwrite(fd, zeros, sizeof zeros, 100 * 4096) == sizeof zeros);
	assert_int_equal(close(fd), 0);
	sum = folder_sum("hole.weir");
	count = readable("hole.weir", &damaged);
	assert_true(damaged);
	assert_true(count >= 2000 - 60 && count < 2000);
	assert_true(folder_sum("hole.weir") == sum);
}

/* As the first weir made them. */
static const char first_format[] =
	"PRAGMA application_id=0x77656972; PRAGMA user_version=1;"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE runs(number INTEGER PRIMARY KEY, began INTEGER NOT NULL,"
	" wall INTEGER NOT NULL, boot_id TEXT NOT NULL, kernel TEXT NOT NULL,"
	" host TEXT NOT NULL, version TEXT NOT NULL);"
	"CREATE TABLE ticks(at INTEGER PRIMARY KEY, whole INTEGER NOT NULL,"
	" data BLOB NOT NULL);"
	"CREATE INDEX ticks_whole ON ticks(at) WHERE whole;"
	"CREATE TABLE windows(id INTEGER PRIMARY KEY, role TEXT NOT NULL,"
	" name TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER,"
	" author TEXT NOT NULL, backwards INTEGER NOT NULL,"
	" exit_status INTEGER NOT NULL, command TEXT NOT NULL);"
	"CREATE TABLE notes(id INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
	" at INTEGER NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL, body TEXT);"
	"INSERT INTO ticks VALUES(0,1,'tick'),(1,0,'tick'),(2,0,'tick');"
	"INSERT INTO notes VALUES(1,'text',1,'me','kept',NULL);";

static void an_older_file_is_read_as_it_is(void **state)
{
	unsigned long long sum;
	bool damaged;

	(void)state;
	(void)ask("read1.weir", first_format);
	sum = folder_sum("read1.weir");
	assert_int_equal(readable("read1.weir", &damaged), 3);
	assert_false(damaged);
	assert_true(folder_sum("read1.weir") == sum);
}

static void an_older_file_is_brought_up_to_date_on_a_copy(void **state)
{
	unsigned long long sum;
	struct store *store;

	(void)state;
	(void)ask("old.weir", first_format);
	sum = folder_sum("old.weir");
	store = store_open(folder_path("old.weir"), STORE_WRITE, &fault);
	assert_non_null(store);
	assert_int_equal(store_upgraded(store), 1);
	assert_true(put(store, 3));
	store_close(store);
	assert_true(folder_sum("old.weir.v1") == sum);
	assert_string_equal(ask("old.weir.v1", "PRAGMA user_version"), "1");
	assert_string_equal(ask("old.weir", "SELECT count(*) FROM ticks"), "4");
	assert_string_equal(ask("old.weir", "SELECT text FROM notes"), "kept");
	assert_true(strcmp(ask("old.weir", "PRAGMA user_version"), "1") > 0);
	assert_false(folder_has("old.weir.new"));
	store = store_open(folder_path("old.weir"), STORE_WRITE, &fault);
	assert_non_null(store);
	assert_int_equal(store_upgraded(store), 0);
	store_close(store);
}

static void nothing_is_upgraded_over_what_was_kept_before(void **state)
{
	unsigned long long sum;

	(void)state;
	(void)ask("twice.weir", first_format);
	folder_write("twice.weir.v1", "precious", 8);
	folder_write("twice.weir.new", "of an attempt that was cut short", 30);
	sum = folder_sum("twice.weir");
	assert_null(store_open(folder_path("twice.weir"), STORE_WRITE, &fault));
	assert_non_null(strstr(fault.text, "in the way"));
	assert_true(folder_sum("twice.weir") == sum);
}

/* Power went between the second name and the new file under the first one. */
static void an_upgrade_that_was_cut_short_is_done_again(void **state)
{
	struct store *store;

	(void)state;
	(void)ask("halfway.weir", first_format);
	assert_int_equal(
		link(folder_path("halfway.weir"), folder_path("halfway.weir.v1")), 0);
	store = store_open(folder_path("halfway.weir"), STORE_WRITE, &fault);
	assert_non_null(store);
	assert_int_equal(store_upgraded(store), 1);
	store_close(store);
	assert_string_equal(ask("halfway.weir.v1", "PRAGMA user_version"), "1");
}

static void an_upgraded_file_stays_its_owners(void **state)
{
	uid_t owner = geteuid() ? geteuid() : 12345;
	struct store *store;
	struct stat st;

	(void)state;
	(void)ask("owned.weir", first_format);
	assert_int_equal(chown(folder_path("owned.weir"), owner, (gid_t)-1), 0);
	assert_int_equal(chmod(folder_path("owned.weir"), 0640), 0);
	store = store_open(folder_path("owned.weir"), STORE_WRITE, &fault);
	assert_non_null(store);
	assert_int_equal(store_upgraded(store), 1);
	store_close(store);
	assert_int_equal(stat(folder_path("owned.weir"), &st), 0);
	assert_int_equal(st.st_uid, owner);
	assert_int_equal(st.st_mode & 07777, 0640);
}

static void a_file_without_a_byte_is_taken_for_a_new_one(void **state)
{
	struct store *store;

	(void)state;
	folder_write("nothing.weir", "", 0);
	assert_null(store_open(folder_path("nothing.weir"), STORE_READ, &fault));
	assert_non_null(strstr(fault.text, "is empty"));
	store = store_open(folder_path("nothing.weir"), STORE_WRITE, &fault);
	assert_non_null(store);
	assert_true(put(store, 0));
	store_close(store);
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
		cmocka_unit_test(a_recorder_writes_nothing_into_a_damaged_file),
		cmocka_unit_test(a_file_that_ends_too_early_is_read_up_to_there),
		cmocka_unit_test(reading_goes_on_behind_a_damaged_place),
		cmocka_unit_test(an_older_file_is_read_as_it_is),
		cmocka_unit_test(an_older_file_is_brought_up_to_date_on_a_copy),
		cmocka_unit_test(nothing_is_upgraded_over_what_was_kept_before),
		cmocka_unit_test(an_upgrade_that_was_cut_short_is_done_again),
		cmocka_unit_test(an_upgraded_file_stays_its_owners),
		cmocka_unit_test(a_file_without_a_byte_is_taken_for_a_new_one),
		cmocka_unit_test(damage_inside_is_a_fault_or_a_gap),
		cmocka_unit_test(hostile_rows_are_brought_into_range),
	};

	return cmocka_run_group_tests_name("refuse", tests, folder_begin, folder_end);
}
