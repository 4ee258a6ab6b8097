/* Commands of `weir run` and repeated windows in the report: the case of a share that
 * was copied with signing and without, and A B A B. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "json_page.h"
#include "report_page.h"
#include "series.h"

#include <math.h>
#include <string.h>

enum {
	COPIED = 4000 /* MB */
};

static struct recording r;
static size_t wrote, received, reads, queue;

static void begin(void)
{
	uint32_t disk, nic;

	recording_init(&r, 4096);
	disk = recording_subject(&r, KIND_DISK, "sda", "", "");
	nic = recording_subject(&r, KIND_NIC, "eth0", "", "");
	wrote = recording_series(&r, disk, RAW_DISK_WRITE_SECTORS, 0);
	reads = recording_series(&r, disk, RAW_DISK_READ_OPS, 0);
	(void)recording_series(&r, disk, RAW_DISK_WRITE_OPS, 0);
	queue = recording_series(&r, disk, RAW_DISK_WEIGHTED_MS, 0);
	received = recording_series(&r, nic, RAW_NET_RX_BYTES, 0);
	series_seed(7);
	recording_ticks(&r, 1);
}

/* `weir run NAME -- cp`: 4 GB at MB per second, then 10 s of nothing. */
static void copy(const char *name, uint64_t mb, int status)
{
	int64_t from = r.tick.at / NSEC_PER_SEC;
	int64_t seconds = (int64_t)(COPIED / mb);
	uint32_t id = recording_window(&r, ROLE_RUN, name, from, from + seconds);
	struct window window = *windows_by_id(&r.session->windows, id);

	window.exit_status = status;
	(void)session_window(r.session, &window);
	r.step[wrote] = mb * 1000000 / 512;
	r.step[reads] = mb;
	r.step[queue] = mb * 10;
	r.step[received] = mb * 1000000 + mb * 20000;
	recording_ticks(&r, (size_t)seconds);
	r.step[wrote] = r.step[received] = r.step[reads] = r.step[queue] = 0;
	recording_ticks(&r, 10);
}

/* The first PAIRS of each, in turn. */
static void copies(size_t pairs)
{
	static const uint64_t with[] = {25, 26, 25}, without[] = {100, 104, 98};

	for (size_t i = 0; i < pairs; i++) {
		copy("signed", with[i], 0);
		copy("plain", without[i], 0);
	}
}

static const char *const names[] = {"signed", "plain"};

static char *result(enum report_format format, struct buffer *page)
{
	write_windows(r.session, names, 2, format, page);
	return buffer_string(page);
}

static void three_copies_a_side_name_the_ratio_with_a_verdict(void **unused)
{
	struct buffer page = {0};
	const char *text;

	(void)unused;
	begin();
	copies(3);
	text = result(REPORT_TEXT, &page);
	check_page(text);
	check_has(text, "A: 3 commands called signed. B: 3 commands called plain.");
	check_row(text, "1  RESULT", "BETTER    plain       disks wrote",
		"25.3 MB/s > 101 MB/s, 4.0x, +297 %");
	check_row(text, "1  RESULT", "BETTER    plain       time",
		"158 s > 39.3 s, 1/4.0, -75 %");
	check_row(text, "1  RESULT", "BETTER    plain       network received",
		"25.8 MB/s > 103 MB/s, 4.0x, +297 %");
	/* four times the queue under four times the load is neither good nor bad */
	check_row(text, "1  RESULT", "HIGHER    sda         queue",
		"0.25 > 1.01, +297 % (+273..+323)");
	check_lacks(text, "WORSE");
	check_lacks(text, "No verdict");
	buffer_fini(&page);
	check_report(r.session, "runs-three"); /* the default is the last two names */
	recording_fini(&r);
}

static void one_run_each_is_a_fact_with_its_ratio(void **unused)
{
	struct buffer page = {0};
	const char *text;

	(void)unused;
	begin();
	copies(1);
	text = result(REPORT_TEXT, &page);
	check_row(text, "1  RESULT", "FACT      plain       time",
		"160 s > 40.0 s, 1/4.0, -75 %, 1 and 1");
	check_has(text, "No verdict: a command is one observation");
	check_lacks(text, "BETTER");
	recording_fini(&r);
	buffer_fini(&page);
}

/* However long: within a run nothing is judged by its samples. */
static void a_run_is_one_observation_however_long(void **unused)
{
	struct buffer page = {0};
	const char *text;

	(void)unused;
	begin();
	copy("signed", 2, 0);
	copy("plain", 8, 0);
	text = result(REPORT_TEXT, &page);
	check_has(text, "No verdict: a command is one observation");
	check_lacks(text, "HIGHER");
	recording_fini(&r);
	buffer_fini(&page);
}

static void commands_that_failed_are_left_out_and_said(void **unused)
{
	struct buffer page = {0};
	const char *text;

	(void)unused;
	begin();
	copies(3);
	copy("plain", 2000, 1);
	text = result(REPORT_TEXT, &page);
	check_has(text, "B: 3 commands called plain; left out: 1 that did");
	check_has(text, "25.3 MB/s > 101 MB/s");
	recording_fini(&r);
	buffer_fini(&page);
}

/* Two seconds of a command that failed are no eightieth of those that were copied in.
 */
static void a_command_that_failed_has_no_ratio(void **unused)
{
	struct buffer page = {0};
	const char *text;

	(void)unused;
	begin();
	copy("signed", 25, 0);
	copy("plain", 2000, 1);
	text = result(REPORT_TEXT, &page);
	check_has(text, "plain: 2.00 s, exit status 1");
	check_lacks(text, "time to the first run");
	recording_fini(&r);
	buffer_fini(&page);
}

/* The same command in BEFORE and in AFTER. */
static void commands_inside_windows_are_compared_by_their_name(void **unused)
{
	static const uint64_t rates[2][3] = {{25, 26, 25}, {100, 104, 98}};
	static const char *const pair[] = {"BEFORE", "AFTER"};
	struct buffer page = {0};
	int64_t from = 0;

	(void)unused;
	begin();
	for (int s = 0; s < 2; s++) {
		for (int i = 0; i < 3; i++)
			copy("cp", rates[s][i], 0);
		(void)recording_window(&r, s ? ROLE_AFTER : ROLE_BEFORE, pair[s], from,
			r.tick.at / NSEC_PER_SEC);
		from = r.tick.at / NSEC_PER_SEC;
	}
	write_windows(r.session, pair, 2, REPORT_TEXT, &page);
	check_row(buffer_string(&page), "1  RESULT",
		"BETTER    cp          disks wrote",
		"25.3 MB/s > 101 MB/s, 4.0x, +297 %");
	buffer_fini(&page);
	recording_fini(&r);
}

/* SECONDS of a window called NAME with its mean queue times FACTOR. */
static void window(const char *name, size_t seconds, double factor)
{
	int64_t from = r.tick.at / NSEC_PER_SEC;

	(void)recording_window(&r, ROLE_OTHER, name, from, from + (int64_t)seconds);
	for (size_t t = 0; t < seconds; t++) {
		r.step[reads] = 300;
		r.step[queue] = (uint64_t)(factor * 6000 * exp(0.3 * series_normal()));
		recording_ticks(&r, 1);
	}
}

static char *pooled(
	const char *const *chosen, enum report_format format, struct buffer *page)
{
	struct report_options options = {
		.format = format, .written = RECORDING_WALL, .pool = true};
	struct fault fault = {.text = ""};

	if (!report_choose(r.session, chosen, 2, &options, &fault) ||
		!report_write(r.session, &options, page, NULL, &fault))
		fail_msg("%s", fault.text);
	return buffer_string(page);
}

static const char *const old_new[] = {"old", "new"};

/* A drift that any single pair would take for the change: the queue grows with time,
 * and nothing else happens. In turn, and only in turn, that shows. */
static void in_turn_a_drift_is_no_change(void **unused)
{
	static const double drift[] = {1, 1.3, 1.6, 2};
	struct buffer page = {0};
	const char *text;

	(void)unused;
	begin();
	for (size_t i = 0; i < 4; i++)
		window(old_new[i % 2], 600, drift[i]);
	write_windows(r.session, old_new, 2, REPORT_TEXT, &page);
	check_has(buffer_string(&page), "WORSE"); /* the last two alone */
	buffer_fini(&page);
	text = pooled(old_new, REPORT_TEXT, &page);
	check_lacks(text, "WORSE");
	check_lacks(text, "BETTER");
	check_has(text, "A: 2 windows called old. B: 2 windows called new.");
	check_has(text, "weir report --pool -s demo old new");
	buffer_fini(&page);
	recording_fini(&r);
}

static void in_turn_a_change_shows_through_the_drift(void **unused)
{
	static const double drift[] = {1, 0.5, 1.2, 0.6, 1.1, 0.55};
	struct buffer page = {0};
	const char *text;

	(void)unused;
	begin();
	for (size_t i = 0; i < 6; i++)
		window(old_new[i % 2], 600, drift[i]);
	window("old", 200, 9); /* too short to count */
	text = pooled(old_new, REPORT_TEXT, &page);
	check_page(text);
	check_has(text, "BETTER    sda         queue");
	check_has(text, "A: 3 windows called old; left out: 1 shorter than 5 min.");
	buffer_fini(&page);
	text = pooled(old_new, REPORT_JSON, &page);
	check_documented(text);
	/* The figures beside the word are those of all windows. */
	check_has(text, "\"samples\": 1800");
	buffer_fini(&page);
	recording_fini(&r);
}

static void with_pool_a_name_is_given_once(void **unused)
{
	static const char *const twice[] = {"old", "OLD"};
	struct report_options options = {.pool = true};
	struct fault fault = {.text = ""};

	(void)unused;
	begin();
	window("old", 300, 1);
	window("old", 300, 1);
	assert_false(report_choose(r.session, twice, 2, &options, &fault));
	assert_non_null(strstr(fault.text, "given twice"));
	recording_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_copies_a_side_name_the_ratio_with_a_verdict),
		cmocka_unit_test(one_run_each_is_a_fact_with_its_ratio),
		cmocka_unit_test(a_run_is_one_observation_however_long),
		cmocka_unit_test(commands_that_failed_are_left_out_and_said),
		cmocka_unit_test(a_command_that_failed_has_no_ratio),
		cmocka_unit_test(commands_inside_windows_are_compared_by_their_name),
		cmocka_unit_test(in_turn_a_drift_is_no_change),
		cmocka_unit_test(in_turn_a_change_shows_through_the_drift),
		cmocka_unit_test(with_pool_a_name_is_given_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
