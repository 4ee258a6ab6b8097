/* Minutes in the session file: a long window made from them says what its ticks say,
 * whoever made them; old ticks go, and no window loses a figure. */
#include "config.h"

#include "store/store.h"

#include "base/alloc.h"
#include "core/minutes.h"
#include "folder.h"
#include "recording.h"
#include "series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#define S NSEC_PER_SEC

enum {
	HOUR = 3600,
	READS = 0,
	READ_MS,
	WEIGHTED,
	RETRANS,
	PENDING = 6 /* where a test has it */
};

static struct fault fault;

static void ask(const char *name, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(folder_path(name), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static int64_t number(const char *name, const char *sql)
{
	sqlite3_stmt *row = NULL;
	sqlite3 *db = NULL;
	int64_t found;

	assert_int_equal(sqlite3_open(folder_path(name), &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	found = sqlite3_column_int64(row, 0);
	assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return found;
}

static struct store *open_as(const char *name, enum store_mode mode)
{
	struct store *store = store_open(folder_path(name), mode, &fault);

	if (!store)
		fail_msg("%s", fault.text);
	return store;
}

static void keep(struct recording *r, const struct buffer *bytes, bool full)
{
	assert_true(store_tick(
		r->context, r->tick.at, full, bytes->data, bytes->size, &fault));
}

static struct recording r;

/* A disk whose load and queue wander, and a host that retransmits now and then. */
static void begin(struct store *store)
{
	uint32_t disk, host;

	recording_init(&r, 0);
	r.each = keep;
	r.context = store;
	disk = recording_subject(&r, KIND_DISK, "sda", "/srv", "");
	host = recording_subject(&r, KIND_HOST, "host", "", "");
	assert_int_equal(recording_series(&r, disk, RAW_DISK_READ_OPS, 0), READS);
	assert_int_equal(recording_series(&r, disk, RAW_DISK_READ_MS, 0), READ_MS);
	assert_int_equal(recording_series(&r, disk, RAW_DISK_WEIGHTED_MS, 0), WEIGHTED);
	assert_int_equal(recording_series(&r, host, RAW_TCP_RETRANS_SEGS, 0), RETRANS);
	(void)recording_series(&r, disk, RAW_DISK_WRITE_OPS, 0);
	(void)recording_series(&r, disk, RAW_DISK_LIMIT, 32);
	series_seed(7);
	assert_true(store_run(store, &r.session->runs[0], &fault));
	assert_true(store_begin(store, &fault));
	recording_ticks(&r, 1);
}

static void run(size_t ticks)
{
	for (size_t i = 0; i < ticks; i++) {
		r.step[READS] = (uint64_t)(100 * (1 + series_uniform()));
		r.step[READ_MS] = 3 * r.step[READS];
		r.step[WEIGHTED] = (uint64_t)(4000 * series_uniform());
		r.step[RETRANS] = i % 97 == 0;
		recording_ticks(&r, 1);
	}
}

static void finish(struct store *store)
{
	bool more = true;

	assert_true(store_end(store, &fault));
	while (more)
		assert_true(store_follow(store, 5000, &more, &fault));
	store_close(store);
	recording_fini(&r);
}

/* The session fed for one window; MINUTES: as a report would, else from ticks alone. */
static struct session *sum_up(const char *name, int64_t from, int64_t to, bool minutes)
{
	struct store *store = open_as(name, STORE_READ);
	struct session *session = session_new("", 0);
	struct window window = {.id = 1,
		.role = ROLE_OTHER,
		.backwards = true,
		.from = from * S,
		.to = to * S};

	assert_true(store_load(store, session, &fault));
	assert_true(session_window(session, &window));
	if (minutes)
		assert_true(store_sum_up(store, session, &window.id, 1, &fault));
	else
		assert_true(
			store_replay(store, window.from, window.to, session, &fault));
	store_close(store);
	return session;
}

static const struct summary *summary_of(const struct session *session, enum kind kind,
	const char *device, const char *id)
{
	int subject = session_find_subject(session, kind, device);
	const struct summary *summary;

	assert_true(subject >= 0);
	summary = session_summary(session, 1,
		(size_t)session_track(
			session, (uint32_t)subject, (unsigned)metric_find(id)));
	assert_non_null(summary);
	return summary;
}

static void assert_near(double a, double b)
{
	if (!(a >= b - 1e-9 * b && a <= b + 1e-9 * b))
		fail_msg("%.12g is not %.12g", a, b);
}

static void assert_same(const struct session *a, const struct session *b,
	enum kind kind, const char *device, const char *id)
{
	const struct summary *one = summary_of(a, kind, device, id);
	const struct summary *two = summary_of(b, kind, device, id);

	assert_int_equal(one->samples, two->samples);
	assert_memory_equal(one->missing, two->missing, sizeof one->missing);
	assert_near(one->num, two->num);
	assert_near(one->den, two->den);
	assert_true((float)one->lowest == (float)two->lowest);
	assert_true((float)one->highest == (float)two->highest);
}

static void make_six_hours(const char *name)
{
	struct store *store = open_as(name, STORE_CREATE);

	begin(store);
	run(6 * HOUR);
	finish(store);
}

static void a_long_window_says_what_its_ticks_say(void **state)
{
	struct session *minutes, *ticks;
	const struct summary *m, *t;
	struct batch_mean a, b;

	(void)state;
	make_six_hours("six.weir");
	assert_int_equal(number("six.weir", "SELECT count(*) FROM minutes"), 359);
	/* edges in the middle of a minute: rounded inward, 60 s to 18000 s */
	minutes = sum_up("six.weir", 30, 18030, true);
	ticks = sum_up("six.weir", 60, 18000, false);
	assert_same(minutes, ticks, KIND_DISK, "sda", "disk.queue");
	assert_same(minutes, ticks, KIND_DISK, "sda", "disk.read.await");
	assert_same(minutes, ticks, KIND_DISK, "sda", "disk.read.ops");
	assert_same(minutes, ticks, KIND_DISK, "sda", "disk.limit");
	assert_same(minutes, ticks, KIND_HOST, "host", "tcp.retrans");
	m = summary_of(minutes, KIND_DISK, "sda", "disk.queue");
	t = summary_of(ticks, KIND_DISK, "sda", "disk.queue");
	assert_int_equal(m->samples, 17940);
	assert_memory_equal(&m->histogram, &t->histogram, sizeof m->histogram);
	/* batches of whole minutes: another cut through the same time */
	assert_int_equal(m->batches.slots.ticks, 17940);
	assert_int_equal(m->batches.slots.length % 60, 0);
	assert_int_equal(m->load.slots.ticks, 17940);
	assert_int_equal(m->tail->slots.ticks, 17940);
	a = batches_mean(&m->batches);
	b = batches_mean(&t->batches);
	assert_near(a.mean, b.mean);
	assert_true(a.relative > b.relative / 3 && a.relative < b.relative * 3);
	assert_int_equal(
		session_coverage(minutes, 1).seen, session_coverage(ticks, 1).seen);
	assert_int_equal(session_coverage(minutes, 1).expected, 17940);
	session_free(minutes);
	session_free(ticks);
}

static void a_file_without_minutes_gives_the_same_answer(void **state)
{
	struct session *stored, *made;
	const struct summary *a, *b;

	(void)state;
	make_six_hours("old.weir");
	stored = sum_up("old.weir", 100, 20000, true);
	ask("old.weir", "DROP TABLE tracks; DROP TABLE minutes; DROP TABLE gaps;"
			"DROP TABLE stalls; PRAGMA user_version=2");
	made = sum_up("old.weir", 100, 20000, true);
	assert_same(stored, made, KIND_DISK, "sda", "disk.queue");
	a = summary_of(stored, KIND_DISK, "sda", "disk.queue");
	b = summary_of(made, KIND_DISK, "sda", "disk.queue");
	assert_memory_equal(a->batches.num, b->batches.num, sizeof a->batches.num);
	assert_memory_equal(a->batches.den, b->batches.den, sizeof a->batches.den);
	session_free(stored);
	session_free(made);
}

static void follow(struct store *store)
{
	bool more = true;

	while (more)
		assert_true(store_follow(store, 5000, &more, &fault));
}

/* The disk goes on under another name, which no minute of the file knows yet. */
static void rename_the_disk(void)
{
	static const unsigned raws[] = {
		RAW_DISK_READ_OPS, RAW_DISK_READ_MS, RAW_DISK_WEIGHTED_MS};
	uint32_t disk = recording_subject(&r, KIND_DISK, "sdb", "/srv", "");

	memcpy(r.catalog.subjects[disk].id, r.catalog.subjects[0].id,
		sizeof r.catalog.subjects[disk].id);
	for (size_t i = 0; i < r.catalog.series_count; i++)
		if (!r.catalog.series[i].subject)
			r.readings[i].why = WHY_ABSENT;
	for (size_t i = 0; i < sizeof raws / sizeof *raws; i++)
		(void)recording_series(&r, disk, raws[i], i == 0 ? 100 : 300);
}

static void a_disk_renamed_behind_the_minutes_is_one_row(void **state)
{
	struct store *store = open_as("renamed.weir", STORE_CREATE);
	struct session *stored, *ticks;

	(void)state;
	begin(store);
	run(5 * HOUR);
	assert_true(store_end(store, &fault));
	follow(store);
	assert_true(store_begin(store, &fault));
	rename_the_disk();
	recording_ticks(&r, 1800);
	assert_true(store_end(store, &fault));
	store_close(store);
	recording_fini(&r);
	stored = sum_up("renamed.weir", 120, 5 * HOUR + 1500, true);
	ticks = sum_up("renamed.weir", 120, 5 * HOUR + 1500, false);
	assert_int_equal(ticks->subject_count, 2); /* the disk, and the host */
	assert_int_equal(stored->subject_count, 2);
	assert_same(stored, ticks, KIND_DISK, "sdb", "disk.queue");
	session_free(stored);
	session_free(ticks);
}

static void what_an_older_recorder_left_is_summed_up_later(void **state)
{
	bool more = true;
	struct store *store;

	(void)state;
	make_six_hours("later.weir");
	ask("later.weir", "DELETE FROM minutes WHERE number>100");
	store = open_as("later.weir", STORE_WRITE);
	while (more)
		assert_true(store_follow(store, 1000, &more, &fault));
	store_close(store);
	make_six_hours("atonce.weir");
	ask("later.weir", "VACUUM");
	assert_int_equal(number("later.weir", "SELECT count(*) FROM minutes"), 359);
	assert_int_equal(number("later.weir", "SELECT sum(seen) FROM minutes"),
		number("atonce.weir", "SELECT sum(seen) FROM minutes"));
	assert_int_equal(number("later.weir", "SELECT sum(length(data)) FROM minutes"),
		number("atonce.weir", "SELECT sum(length(data)) FROM minutes"));
	assert_int_equal(number("later.weir", "SELECT count(*) FROM tracks"),
		number("atonce.weir", "SELECT count(*) FROM tracks"));
}

/* All of its ticks are missing, not as many as it has minutes. */
static void a_window_in_a_gap_lacks_all_of_its_ticks(void **state)
{
	struct store *store = open_as("hole.weir", STORE_CREATE);
	struct session *session;

	(void)state;
	begin(store);
	run(HOUR);
	recording_gap(&r, GAP_MISSED, 8 * HOUR * S);
	run(HOUR);
	finish(store);
	session = sum_up("hole.weir", 2 * HOUR, 8 * HOUR, true);
	assert_int_equal(session_coverage(session, 1).seen, 0);
	assert_int_equal(session_coverage(session, 1).expected, 6 * HOUR);
	session_free(session);
	/* as of a shorter one, which is made from ticks */
	session = sum_up("hole.weir", 2 * HOUR, 5 * HOUR, true);
	assert_int_equal(session_coverage(session, 1).seen, 0);
	assert_int_equal(session_coverage(session, 1).expected, 3 * HOUR);
	session_free(session);
}

static void time_passes_where_nothing_was_seen(void **state)
{
	struct store *store = open_as("gap.weir", STORE_CREATE);
	struct session *session;
	const struct summary *summary;
	struct coverage coverage;

	(void)state;
	begin(store);
	run(2 * HOUR);
	recording_gap(&r, GAP_MISSED, 2 * HOUR * S);
	run(2 * HOUR);
	finish(store);
	session = sum_up("gap.weir", 0, 6 * HOUR, true);
	summary = summary_of(session, KIND_DISK, "sda", "disk.queue");
	/* six hours of equal batches, a third of them empty */
	assert_in_range(summary->batches.slots.ticks, 6 * HOUR - 120, 6 * HOUR);
	coverage = session_coverage(session, 1);
	/* the tick at the end of the gap is there */
	assert_int_equal(coverage.expected - coverage.seen, 2 * HOUR - 1);
	assert_int_equal(session->gap_count, 1);
	assert_int_equal(session->gaps[0].from, 2 * HOUR * S);
	assert_int_equal(session->gaps[0].to, 4 * HOUR * S);
	assert_int_equal(session->gaps[0].kind, GAP_MISSED);
	session_free(session);
}

/* A silent disk: something is outstanding and nothing completes. */
static void silent(size_t ticks)
{
	memset(r.step, 0, sizeof r.step);
	r.step[PENDING] = 64;
	recording_ticks(&r, ticks);
}

/* The recorder is killed while a disk is silent, and goes on. */
static void resume(struct store **store, const char *name)
{
	assert_true(store_end(*store, &fault));
	follow(*store);
	store_close(*store);
	*store = open_as(name, STORE_WRITE);
	r.context = *store;
	assert_true(store_begin(*store, &fault));
}

static void a_stall_that_lasts_over_a_resume_is_one(void **state)
{
	struct store *store = open_as("stall.weir", STORE_CREATE);

	(void)state;
	begin(store);
	assert_int_equal(recording_series(&r, 0, RAW_DISK_PENDING, 0), PENDING);
	run(1100);
	silent(200); /* the full tick at 1200 is inside */
	resume(&store, "stall.weir");
	silent(300);
	resume(&store, "stall.weir");
	silent(5);
	r.step[PENDING] = 0;
	run(200);
	finish(store);
	assert_int_equal(number("stall.weir", "SELECT count(*) FROM stalls"), 1);
	assert_int_equal(
		number("stall.weir", "SELECT began/1000000000 FROM stalls"), 1101);
	assert_in_range(number("stall.weir", "SELECT ended/1000000000 FROM stalls"),
		1605, 1607);
}

/* It ends so soon behind the tick that the next follower begins with that this one does
 * not see it. */
static void a_stall_that_is_not_found_again_is_over(void **state)
{
	struct store *store = open_as("over.weir", STORE_CREATE);

	(void)state;
	begin(store);
	assert_int_equal(recording_series(&r, 0, RAW_DISK_PENDING, 0), PENDING);
	run(540);
	silent(61);
	resume(&store, "over.weir");
	r.step[PENDING] = 0;
	run(200);
	finish(store);
	assert_int_equal(number("over.weir", "SELECT count(*) FROM stalls"), 1);
	assert_int_equal(
		number("over.weir", "SELECT count(*) FROM stalls WHERE ended IS NULL"),
		0);
}

static void two_short_windows_do_not_read_what_lies_between(void **state)
{
	struct store *store;
	struct session *session = session_new("", 0);
	const uint32_t ids[] = {1, 2};

	(void)state;
	make_six_hours("pair.weir");
	store = open_as("pair.weir", STORE_READ);
	for (uint32_t i = 0; i < 2; i++)
		assert_true(session_window(
			session, &(struct window){.id = i + 1,
					 .role = ROLE_OTHER,
					 .from = (i ? 5 * HOUR : 0) * S,
					 .to = (i ? 5 * HOUR + 600 : 600) * S}));
	assert_true(store_sum_up(store, session, ids, 2, &fault));
	store_close(store);
	assert_in_range(session->ticks, 1200, 1300);
	assert_int_equal(session->gap_count, 0); /* the jump is none */
	assert_int_equal(session_coverage(session, 2).seen, 600);
	assert_int_equal(session_coverage(session, 2).expected, 600);
	session_free(session);
}

static void old_ticks_go_and_windows_keep_theirs(void **state)
{
	struct store *store = open_as("thin.weir", STORE_CREATE);
	struct windows windows = {0};
	struct session *before, *after;
	bool more = true;
	int64_t ticks;

	(void)state;
	begin(store);
	run(60 * HOUR);
	assert_true(store_end(store, &fault));
	windows_put(&windows, &(struct window){.id = 1,
				      .role = ROLE_BEFORE,
				      .name = "BEFORE",
				      .from = 2 * HOUR * S,
				      .to = 3 * HOUR * S});
	assert_true(store_windows(store, &windows, &fault));
	while (more)
		assert_true(store_follow(store, 5000, &more, &fault));
	before = sum_up("thin.weir", 5 * HOUR, 6 * HOUR, true);
	for (int i = 0; i < 100; i++)
		assert_true(store_thin(store, 1000, &fault));
	ticks = (int64_t)store_tick_count(store);
	assert_in_range(ticks, 49 * HOUR, 49 * HOUR + 1300);
	assert_true(store_thin(store, 1000, &fault));
	assert_int_equal(store_tick_count(store), ticks); /* nothing more to take */
	store_close(store);
	recording_fini(&r);
	windows_fini(&windows);
	/* the window that was set has its ticks */
	after = sum_up("thin.weir", 2 * HOUR, 3 * HOUR, false);
	assert_int_equal(session_coverage(after, 1).seen, HOUR);
	session_free(after);
	/* one that is set later, where they are gone, is made from minutes */
	after = sum_up("thin.weir", 5 * HOUR, 6 * HOUR, true);
	assert_same(before, after, KIND_DISK, "sda", "disk.queue");
	session_free(before);
	session_free(after);
}

/* ---- the bytes ---- */

struct seen {
	size_t count;
	uint32_t numbers[16];
	double num[16];
};

static void see(void *context, uint32_t at, const struct minute_cell *cell)
{
	struct seen *seen = context;

	if (seen->count == 16)
		return;
	seen->numbers[seen->count] = at;
	seen->num[seen->count++] = cell->num;
}

static bool decode(const uint8_t *data, size_t size, struct seen *seen)
{
	struct minute_reader reader;

	minute_reader_begin(&reader, data, size);
	while (minute_next(&reader) && reader.number < 100)
		see(seen, reader.number, &reader.cell);
	return !reader.input.bad;
}

static void cells_come_back_as_they_went(void **state)
{
	static const uint32_t numbers[] = {0, 1, 5, 6, 7, 8, 9};
	const struct metric *queue = metric_at((unsigned)metric_find("disk.queue"));
	struct minute minute = {.count = 0};
	struct buffer bytes = {0};
	struct seen seen = {0};

	(void)state;
	xgrow(&minute.cells, &minute.room, 7, sizeof *minute.cells);
	minute.count = 7;
	for (unsigned i = 0; i < 7; i++)
		for (unsigned t = 0; t < 60 && i != 1; t++) {
			double q = i < 2 ? 0.25 * t : 0;

			minute_add(&minute.cells[i], queue,
				&(struct value){.value = q, .num = q, .den = 1}, 3);
		}
	minute_encode(&minute, numbers, &bytes);
	assert_true(decode(bytes.data, bytes.size, &seen));
	assert_int_equal(seen.count, 6); /* the one that said nothing is not there */
	assert_int_equal(seen.numbers[0], 0);
	assert_int_equal(seen.numbers[1], 5);
	assert_int_equal(seen.numbers[5], 9);
	assert_near(seen.num[0], 0.25 * 59 * 60 / 2);
	assert_true(seen.num[5] == 0);
	assert_true(bytes.size < 160); /* five idle tracks cost next to nothing */
	buffer_fini(&bytes);
	minute_fini(&minute);
}

static void numerators_come_back_exactly(void **state)
{
	static const double nums[] = {1, 127, 128, 4294967296.0, 34359738367.0,
		34359738368.0, 562949953421311.0, 562949953421312.0, 9e15, 0.1, 12.5,
		1e-9};
	enum {
		COUNT = sizeof nums / sizeof *nums
	};
	const struct metric *bytes_read =
		metric_at((unsigned)metric_find("disk.read.bytes"));
	struct minute minute = {.count = 0};
	struct buffer bytes = {0};
	struct seen seen = {0};

	(void)state;
	xgrow(&minute.cells, &minute.room, COUNT, sizeof *minute.cells);
	minute.count = COUNT;
	for (unsigned i = 0; i < COUNT; i++)
		minute_add(&minute.cells[i], bytes_read,
			&(struct value){.value = nums[i], .num = nums[i], .den = 1},
			-1);
	minute_encode(&minute, NULL, &bytes);
	assert_true(decode(bytes.data, bytes.size, &seen));
	assert_int_equal(seen.count, COUNT);
	for (unsigned i = 0; i < COUNT; i++)
		assert_true(seen.num[i] == nums[i]);
	buffer_fini(&bytes);
	minute_fini(&minute);
}

static void hostile_bytes_are_a_false_and_no_more(void **state)
{
	uint8_t bytes[64] = {0};
	struct seen seen = {0};

	(void)state;
	assert_false(decode(bytes, 0, &seen));
	series_seed(11);
	for (int round = 0; round < 200000; round++) {
		size_t size = 1 + (size_t)(63 * series_uniform());

		for (size_t i = 0; i < size; i++)
			bytes[i] = (uint8_t)(256 * series_uniform());
		bytes[0] = 1;
		seen.count = 0;
		(void)decode(bytes, size, &seen); /* either will do */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_window_says_what_its_ticks_say),
		cmocka_unit_test(a_file_without_minutes_gives_the_same_answer),
		cmocka_unit_test(a_disk_renamed_behind_the_minutes_is_one_row),
		cmocka_unit_test(what_an_older_recorder_left_is_summed_up_later),
		cmocka_unit_test(a_window_in_a_gap_lacks_all_of_its_ticks),
		cmocka_unit_test(time_passes_where_nothing_was_seen),
		cmocka_unit_test(a_stall_that_lasts_over_a_resume_is_one),
		cmocka_unit_test(a_stall_that_is_not_found_again_is_over),
		cmocka_unit_test(two_short_windows_do_not_read_what_lies_between),
		cmocka_unit_test(old_ticks_go_and_windows_keep_theirs),
		cmocka_unit_test(cells_come_back_as_they_went),
		cmocka_unit_test(numerators_come_back_exactly),
		cmocka_unit_test(hostile_bytes_are_a_false_and_no_more),
	};

	return cmocka_run_group_tests_name("minutes", tests, folder_begin, folder_end);
}
