/* Facts in the session file: read back as written, and old files get their table. */
#include "config.h"

#include "store/store.h"

#include "folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#define S NSEC_PER_SEC

static struct fault fault;

static void ask(const char *name, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(folder_path(name), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static struct store *open_as(const char *name, enum store_mode mode)
{
	struct store *store = store_open(folder_path(name), mode, &fault);

	if (!store)
		fail_msg("%s", fault.text);
	return store;
}

static struct fact scheduler(nsec at, const char *value)
{
	return (struct fact){.at = at,
		.kind = KIND_DISK,
		.name = "sda",
		.id = "wwid-1",
		.key = "scheduler",
		.value = value};
}

/* Two facts, one of them without a value. */
static void write_facts(struct store *store)
{
	struct facts facts = {0};
	struct fact fact = scheduler(3 * S, "none");

	assert_true(facts_put(&facts, &fact));
	fact = (struct fact){.at = 4 * S,
		.kind = KIND_NIC,
		.name = "eth0",
		.id = "",
		.key = "speed",
		.value = "",
		.why = WHY_UNSUPPORTED};
	assert_true(facts_put(&facts, &fact));
	assert_true(store_facts(store, &facts, &fault));
	facts_fini(&facts);
}

static struct session *load(const char *name)
{
	struct session *session = session_new("", 0);
	struct store *store = open_as(name, STORE_READ);

	if (!store_load(store, session, &fault))
		fail_msg("%s", fault.text);
	store_close(store);
	return session;
}

static void assert_both(const struct session *session)
{
	struct fact fact;

	assert_int_equal(session->facts.count, 2);
	fact = facts_at_index(&session->facts, 0);
	assert_int_equal(fact.at, 3 * S);
	assert_int_equal(fact.kind, KIND_DISK);
	assert_int_equal(fact.why, WHY_NONE);
	assert_string_equal(fact.name, "sda");
	assert_string_equal(fact.id, "wwid-1");
	assert_string_equal(fact.key, "scheduler");
	assert_string_equal(fact.value, "none");
	fact = facts_at_index(&session->facts, 1);
	assert_int_equal(fact.at, 4 * S);
	assert_int_equal(fact.why, WHY_UNSUPPORTED);
	assert_string_equal(fact.name, "eth0");
	assert_string_equal(fact.value, "");
}

static void what_was_written_is_read_back(void **state)
{
	struct store *store = open_as("facts.weir", STORE_CREATE);
	struct session *session;

	(void)state;
	write_facts(store);
	write_facts(store); /* as after a failure that was none: told once */
	store_close(store);
	session = load("facts.weir");
	assert_both(session);
	session_free(session);
}

/* A recorder that starts again knows what it wrote: the same is nothing new. */
static void a_fact_that_outlives_a_restart_is_nothing_new(void **state)
{
	struct store *store = open_as("again.weir", STORE_CREATE);
	struct fact same = scheduler(9 * S, "none");
	struct fact other = scheduler(9 * S, "bfq");
	struct session *session;

	(void)state;
	write_facts(store);
	store_close(store);
	session = load("again.weir");
	assert_false(session_fact(session, &same));
	assert_true(session_fact(session, &other));
	session_free(session);
}

/* A file of the first version: no table of facts, and none is made by reading. */
static void a_file_of_the_first_version_is_read_and_brought_up_to_date(void **state)
{
	struct session *session;
	struct store *store;

	(void)state;
	store = open_as("old.weir", STORE_CREATE);
	assert_true(store_meta_set(store, "name", "old", &fault));
	store_close(store);
	ask("old.weir", "DROP TABLE facts; DROP TABLE tracks; DROP TABLE minutes;"
			"DROP TABLE gaps; DROP TABLE stalls; "
			"DROP TABLE evidence; PRAGMA user_version=1");
	session = load("old.weir");
	assert_string_equal(session->name, "old");
	assert_int_equal(session->facts.count, 0);
	session_free(session);
	store = open_as("old.weir", STORE_WRITE);
	write_facts(store);
	store_close(store);
	session = load("old.weir");
	assert_string_equal(session->name, "old");
	assert_both(session);
	session_free(session);
}

static void hostile_facts_are_cleaned_or_left_out(void **state)
{
	struct session *session;

	(void)state;
	store_close(open_as("hostile.weir", STORE_CREATE));
	ask("hostile.weir",
		"INSERT INTO facts(at,kind,device,id,key,value,why) VALUES"
		"(9223372036854775807,'disk','a'||char(27),'','k'||char(10),"
		"x'ff','nonsense'),(1,'ghost','a','','k','v','')");
	session = load("hostile.weir");
	assert_int_equal(session->facts.count, 1);
	assert_string_equal(facts_at_index(&session->facts, 0).name, "a?");
	assert_string_equal(facts_at_index(&session->facts, 0).key, "k?");
	assert_int_equal(facts_at_index(&session->facts, 0).why, WHY_UNSUPPORTED);
	session_free(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read_back),
		cmocka_unit_test(a_fact_that_outlives_a_restart_is_nothing_new),
		cmocka_unit_test(
			a_file_of_the_first_version_is_read_and_brought_up_to_date),
		cmocka_unit_test(hostile_facts_are_cleaned_or_left_out),
	};

	return cmocka_run_group_tests_name("facts", tests, folder_begin, folder_end);
}
