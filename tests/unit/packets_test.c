/* The source that runs weir-capture, with a script in its place. */
#include "config.h"

#include "fake_root.h"
#include "packet/class.h"
#include "packet/evidence_batch.h"
#include "packet/evidence_ring.h"
#include "packet/wire.h"
#include "source/table.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define T0       (100 * NSEC_PER_SEC)
#define HELLO    "echo 'hello 1 link=1 uid=5 cage=full tx=full'\n"
#define AT(time) "echo 'at " time " lost 4 cpu 500 effort full'\n"
#define COUNTS                                                                         \
	"echo 'frames 10 20 3'\necho 'bytes 100 200 30'\necho 'segments 11 22 4'\n"    \
	"echo 'cut 6'\necho 'class ip4.cksum 7 0 0'\n"
#define STAY "exec sleep 1000\n"

static char helper_path[96];

static void helper_is(struct fake_bench *bench, const char *script)
{
	fake_file(&bench->root, "helper", "#!/bin/sh\n%s", script);
	(void)snprintf(helper_path, sizeof helper_path, "%s/helper", bench->root.top);
	assert_int_equal(chmod(helper_path, 0755), 0);
	bench->root.env.helper = helper_path;
	bench->root.selection.capture = true;
}

static void add(struct fake_bench *bench, const char *name)
{
	char path[96];

	fake_nic(&bench->root, name, "00:25:b5:00:00:0f");
	(void)snprintf(path, sizeof path, "sys/class/net/%s/device/vendor", name);
	fake_file(&bench->root, path, "0x8086\n");
}

static const struct sink *tick_at(struct fake_bench *bench, nsec now)
{
	bench->now = now - NSEC_PER_SEC;
	return fake_tick(bench);
}

static enum why frames_why(const struct sink *sink, const char *name)
{
	return fake_why(sink, name, RAW_CAPTURE_FRAMES, NULL);
}

/* The clock of the test stands still until the reading is WHY. */
static const struct sink *tick_until(
	struct fake_bench *bench, nsec now, const char *name, enum why why)
{
	for (int i = 0; i < 2000; i++) {
		const struct sink *sink = tick_at(bench, now);

		if (frames_why(sink, name) == why)
			return sink;
		(void)usleep(5000);
	}
	fail_msg("%s never became %s", name, why_word(why));
	return NULL;
}

static uint64_t class_of(const struct sink *sink, const char *id, unsigned direction)
{
	return fake_value(
		sink, "eth0", raw_packet((unsigned)packet_class_find(id), direction));
}

static void what_the_helper_counts_becomes_readings(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	helper_is(bench, HELLO AT("99900000000") COUNTS STAY);
	fake_start(bench, &source_packets);
	sink = tick_until(bench, T0, "eth0", WHY_NONE);
	sink = tick_at(bench, T0 + 1);
	assert_int_equal(fake_value(sink, "eth0", RAW_CAPTURE_FRAMES), 33);
	assert_int_equal(fake_value(sink, "eth0", RAW_CAPTURE_BYTES), 330);
	assert_int_equal(fake_value(sink, "eth0", RAW_CAPTURE_SEGMENTS), 37);
	assert_int_equal(fake_value(sink, "eth0", RAW_CAPTURE_LOST), 4);
	assert_int_equal(fake_value(sink, "eth0", RAW_CAPTURE_CUT), 6);
	assert_int_equal(fake_value(sink, "eth0", RAW_CAPTURE_CPU_NS), 500);
	assert_int_equal(class_of(sink, "ip4.cksum", PACKET_RX), 7);
}

static void a_class_that_was_not_seen_is_a_real_zero(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	helper_is(bench, HELLO AT("99900000000") STAY);
	fake_start(bench, &source_packets);
	sink = tick_until(bench, T0, "eth0", WHY_NONE);
	for (unsigned i = 0; i < packet_class_count; i++)
		for (unsigned d = 0; d < PACKET_DIRECTIONS; d++)
			assert_int_equal(fake_value(sink, "eth0", raw_packet(i, d)), 0);
}

static void before_the_first_report_nothing_is_zero(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	helper_is(bench, HELLO STAY);
	fake_start(bench, &source_packets);
	sink = tick_at(bench, T0);
	assert_int_equal(frames_why(sink, "eth0"), WHY_LATE);
	assert_int_equal(
		fake_why(sink, "eth0", raw_packet(0, PACKET_RX), NULL), WHY_LATE);
}

static void the_stamp_is_the_beat_of_the_reports(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	helper_is(bench, HELLO AT("99950000000") STAY);
	fake_start(bench, &source_packets);
	sink = tick_until(bench, T0 + 20, "eth0", WHY_NONE);
	assert_int_equal(sink->stamp, T0 - 50 * NSEC_PER_MSEC);
	/* silence: nothing new up to the beat before the last */
	sink = tick_at(bench, T0 + NSEC_PER_SEC + 30 * NSEC_PER_MSEC);
	assert_int_equal(sink->stamp, T0 + 900 * NSEC_PER_MSEC);
	assert_int_equal(frames_why(sink, "eth0"), WHY_NONE);
}

static void a_helper_that_stops_reporting_has_no_figures(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	helper_is(bench, HELLO AT("99950000000") STAY);
	fake_start(bench, &source_packets);
	(void)tick_until(bench, T0, "eth0", WHY_NONE);
	sink = tick_at(bench, T0 + 2 * NSEC_PER_SEC);
	assert_int_equal(frames_why(sink, "eth0"), WHY_LATE);
	assert_true(fake_event(sink, "weir-capture on eth0 does not report"));
}

static void a_time_from_the_future_is_not_believed(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	helper_is(bench, HELLO AT("9223372036854775807") STAY);
	fake_start(bench, &source_packets);
	sink = tick_until(bench, T0, "eth0", WHY_NONE);
	assert_true(sink->stamp <= T0);
}

static void one_that_ends_is_started_again_and_its_counts_go_on(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	add(bench, "eth0");
	helper_is(bench,
		HELLO AT("99950000000") COUNTS "echo 'bye 1 it%20broke'\nexit 1\n");
	fake_start(bench, &source_packets);
	sink = tick_until(bench, T0, "eth0", WHY_OFF);
	assert_true(fake_event(sink, "packets on eth0 are not counted: it broke"));
	/* not at once */
	sink = tick_at(bench, T0 + NSEC_PER_SEC / 2);
	assert_int_equal(frames_why(sink, "eth0"), WHY_OFF);
	helper_is(bench, HELLO AT("101200000000") COUNTS STAY);
	sink = tick_until(bench, T0 + 12 * NSEC_PER_SEC / 10, "eth0", WHY_NONE);
	assert_true(fake_event(sink, "packets on eth0 are counted again"));
	sink = tick_at(bench, T0 + 13 * NSEC_PER_SEC / 10);
	assert_int_equal(fake_value(sink, "eth0", RAW_CAPTURE_FRAMES), 66);
	assert_int_equal(class_of(sink, "ip4.cksum", PACKET_RX), 14);
}

static void one_that_keeps_failing_is_tried_ever_more_rarely(void **memory)
{
	static const nsec starts[] = {0, 1, 3, 7, 15, 31, 63, 123};
	struct fake_bench *bench = *memory;
	char path[96];

	add(bench, "eth0");
	(void)snprintf(path, sizeof path, "%s/runs", bench->root.top);
	helper_is(bench, "echo >>\"${0%helper}runs\"\nexit 1\n");
	fake_start(bench, &source_packets);
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		nsec now = T0 + starts[i] * NSEC_PER_SEC;
		struct stat stat_buffer;

		if (i)
			(void)tick_at(bench, now - 1); /* too early */
		(void)tick_at(bench, now);
		(void)tick_until(bench, now, "eth0", WHY_OFF);
		assert_int_equal(stat(path, &stat_buffer), 0);
		assert_int_equal(stat_buffer.st_size, (off_t)i + 1);
	}
}

static void what_is_not_allowed_is_denied_and_told_once(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;
	unsigned told = 0;

	add(bench, "eth0");
	add(bench, "eth1");
	helper_is(bench, "echo 'bye 4 no%20right'\nexit 4\n");
	fake_start(bench, &source_packets);
	for (int i = 0; i < 2000; i++) {
		sink = tick_at(bench, T0);
		told += (unsigned)sink->event_count;
		if (frames_why(sink, "eth0") == WHY_DENIED &&
			frames_why(sink, "eth1") == WHY_DENIED)
			break;
		(void)usleep(5000);
	}
	assert_int_equal(frames_why(&bench->sink, "eth1"), WHY_DENIED);
	assert_int_equal(told, 1);
}

static void one_that_may_not_be_started_is_denied(void **memory)
{
	struct fake_bench *bench = *memory;

	if (getenv("WEIR_VALGRIND")) /* its vfork shares no memory: errors are lost */
		skip();
	add(bench, "eth0");
	helper_is(bench, STAY);
	assert_int_equal(chmod(helper_path, 0644), 0);
	fake_start(bench, &source_packets);
	assert_int_equal(frames_why(tick_at(bench, T0), "eth0"), WHY_DENIED);
}

static void one_that_is_not_installed_is_said_at_once(void **memory)
{
	struct fake_bench *bench = *memory;
	struct fault fault;
	void *state;

	bench->root.env.helper = "/nowhere/weir-capture";
	bench->root.selection.capture = true;
	assert_false(source_packets.open(&state, &bench->root.env, &fault));
	assert_null(state);
	assert_string_equal(fault.text, "/nowhere/weir-capture is not installed");
}

static void the_helper_is_told_what_was_asked_for(void **memory)
{
	struct fake_bench *bench = *memory;
	char path[96], text[128] = "";
	FILE *file;

	add(bench, "eth0");
	(void)snprintf(path, sizeof path, "%s/words", bench->root.top);
	helper_is(bench,
		"echo \"$*\" >\"${0%helper}words\"\n" HELLO AT("99950000000") STAY);
	bench->root.selection.ring = 64;
	bench->root.selection.promiscuous = true;
	bench->root.selection.evidence = SELECT_NOTHING;
	fake_start(bench, &source_packets);
	(void)tick_until(bench, T0, "eth0", WHY_NONE);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof text, file));
	(void)fclose(file);
	assert_string_equal(text, "--promisc --ring 64 -- eth0\n");
}

static void switched_off_is_off(void **memory)
{
	struct fake_bench *bench = *memory;

	add(bench, "eth0");
	helper_is(bench, HELLO AT("99950000000") STAY);
	bench->root.selection.capture = false;
	fake_start(bench, &source_packets);
	assert_int_equal(frames_why(tick_at(bench, T0), "eth0"), WHY_OFF);
}

static void an_interface_that_is_down_waits_for_its_return(void **memory)
{
	struct fake_bench *bench = *memory;

	add(bench, "eth0");
	fake_file(&bench->root, "sys/class/net/eth0/flags", "0x1002\n");
	helper_is(bench, HELLO AT("99950000000") STAY);
	fake_start(bench, &source_packets);
	assert_int_equal(frames_why(tick_at(bench, T0), "eth0"), WHY_OFF);
	assert_int_equal(frames_why(tick_at(bench, T0), "eth0"), WHY_OFF);
	fake_file(&bench->root, "sys/class/net/eth0/flags", "0x1003\n");
	(void)tick_until(bench, T0, "eth0", WHY_NONE);
}

static void a_bond_is_not_counted_beside_its_cards(void **memory)
{
	struct fake_bench *bench = *memory;

	add(bench, "eth0");
	fake_nic(&bench->root, "bond0", "00:25:b5:00:00:0f");
	fake_folder(&bench->root, "sys/class/net/bond0/lower_eth0");
	helper_is(bench, HELLO AT("99950000000") STAY);
	fake_start(bench, &source_packets);
	(void)tick_until(bench, T0, "eth0", WHY_NONE);
	assert_int_equal(frames_why(&bench->sink, "bond0"), WHY_ABSENT);
}

static void a_bond_that_is_named_is_counted(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_nic(&bench->root, "bond0", "00:25:b5:00:00:0f");
	fake_folder(&bench->root, "sys/class/net/bond0/lower_eth0");
	helper_is(bench, HELLO AT("99950000000") STAY);
	bench->root.selection.interfaces = "bond0";
	fake_start(bench, &source_packets);
	(void)tick_until(bench, T0, "bond0", WHY_NONE);
}

static void the_loss_of_frames_is_told_when_it_begins(void **memory)
{
	struct fake_bench *bench = *memory;
	bool told = false;

	add(bench, "eth0");
	helper_is(bench, HELLO AT("99950000000") COUNTS STAY);
	fake_start(bench, &source_packets);
	for (int i = 0; i < 2000 && !told; i++) {
		told = fake_event(tick_at(bench, T0),
			"eth0: 4 frames were not seen by the capture");
		(void)usleep(5000);
	}
	assert_true(told);
	assert_int_equal(tick_at(bench, T0 + 1)->event_count, 0);
}

static void its_words_cannot_hurt(void **memory)
{
	struct fake_bench *bench = *memory;

	add(bench, "eth0");
	helper_is(bench,
		"head -c 100000 /dev/zero\nhead -c 300000 /dev/zero | tr '\\0' 'a'\n"
		"echo\n" HELLO AT("99950000000") COUNTS STAY);
	fake_start(bench, &source_packets);
	(void)tick_until(bench, T0, "eth0", WHY_NONE);
}

/* A pipe holds 64 KiB, and between two ticks of many seconds a busy helper says more.
 */
static void a_long_interval_does_not_make_the_helper_wait(void **memory)
{
	struct fake_bench *bench = *memory;
	char path[96];

	add(bench, "eth0");
	(void)snprintf(path, sizeof path, "%s/went-on", bench->root.top);
	helper_is(bench, HELLO AT("99950000000") COUNTS
		"for i in 1 2 3 4; do head -c 60000 /dev/zero | tr '\\0' '\\n'; done\n"
		"echo >\"${0%helper}went-on\"\n" STAY);
	bench->root.env.interval = 10 * NSEC_PER_SEC;
	fake_start(bench, &source_packets);
	(void)tick_at(bench, T0);
	for (int i = 0; i < 4000 && access(path, F_OK); i++)
		(void)usleep(5000);
	assert_int_equal(access(path, F_OK), 0);
	(void)tick_until(bench, T0, "eth0", WHY_NONE);
}

/* ---- packets behind the findings: this program is the helper ---- */

static char self[4096];

/* What "self --put COUNT" does: its standard input is the memory. */
static int put_evidence(const char *count)
{
	struct evidence_writer writer = {0};
	uint8_t byte = 1;

	writer.memory = mmap(NULL, evidence_ring_size(false), PROT_READ | PROT_WRITE,
		MAP_SHARED, STDIN_FILENO, 0);
	if (writer.memory == MAP_FAILED)
		return EXIT_FAILURE;
	for (long i = strtol(count, NULL, 10); i > 0; i--)
		evidence_writer_put(&writer, &(struct evidence_entry){.time = 1,
						     .captured = 1,
						     .length = 1,
						     .finding = 1,
						     .direction = PACKET_RX,
						     .seen = {1},
						     .data = &byte});
	return EXIT_SUCCESS;
}

/* A helper that puts COUNT packets and ends; waits until it did. */
static void helper_puts(struct fake_bench *bench, unsigned count, nsec now, bool first)
{
	char script[4400], path[96];

	(void)snprintf(path, sizeof path, "%s/done", bench->root.top);
	(void)unlink(path);
	(void)snprintf(script, sizeof script,
		HELLO AT("99950000000") "'%s' --put %u\necho >\"${0%%helper}done\"\n"
					"exit 1\n",
		self, count);
	helper_is(bench, script);
	if (first)
		fake_start(bench, &source_packets);
	(void)tick_at(bench, now);
	for (int i = 0; i < 4000 && access(path, F_OK); i++)
		(void)usleep(5000);
	assert_int_equal(access(path, F_OK), 0);
	(void)usleep(50000); /* so that it has mostly ended; else this shows less */
}

/* Packets that one tick, or the next ones up to the end of the helper, bring. */
static struct evidence_packet evidence_until_off(
	struct fake_bench *bench, nsec now, size_t *count, bool *lost)
{
	struct evidence_packet packet = {.linktype = -1};

	*count = 0;
	for (int i = 0; i < 2000; i++) {
		const struct sink *sink = tick_at(bench, now);

		if (sink->evidence.count)
			packet = evidence_batch_at(&sink->evidence, 0);
		*count += sink->evidence.count;
		*lost |= fake_event(sink,
			"eth0: 904 packets behind findings came too fast to be kept");
		if (frames_why(sink, "eth0") == WHY_OFF)
			return packet;
		(void)usleep(5000);
	}
	fail_msg("the helper did not end");
	return packet;
}

static void the_last_packets_of_one_that_ends_are_kept(void **memory)
{
	struct fake_bench *bench = *memory;
	struct evidence_packet packet;
	bool lost = false;
	size_t count;

	add(bench, "eth0");
	helper_puts(bench, 3, T0, true);
	packet = evidence_until_off(bench, T0, &count, &lost);
	assert_int_equal(count, 3);
	assert_int_equal(packet.linktype, 1);
	assert_int_equal(packet.entry.finding, 1);
	/* the next one begins to count at 1, but its findings are others */
	helper_puts(bench, 3, T0 + 2 * NSEC_PER_SEC, false);
	packet = evidence_until_off(bench, T0 + 2 * NSEC_PER_SEC, &count, &lost);
	assert_int_equal(count, 3);
	assert_int_equal(packet.entry.finding, 2);
	assert_false(lost);
}

static void packets_that_are_not_kept_are_told(void **memory)
{
	struct fake_bench *bench = *memory;
	bool lost = false;
	size_t count;

	add(bench, "eth0");
	helper_puts(bench, 5000, T0, true);
	(void)evidence_until_off(bench, T0, &count, &lost);
	assert_int_equal(count, 4096);
	assert_true(lost);
}

static void where_packets_cannot_be_kept_that_is_told(void **memory)
{
	struct fake_bench *bench = *memory;
	struct rlimit before, small;
	const struct sink *sink;

	add(bench, "eth0");
	helper_is(bench, HELLO AT("99950000000") STAY);
	fake_start(bench, &source_packets);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 4096;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	sink = tick_at(bench, T0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_true(fake_event(sink,
		"packets behind findings on eth0 are not kept: cannot size the memory "
		"for evidence: File too large"));
	(void)tick_until(bench, T0, "eth0", WHY_NONE); /* counted all the same */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_setup, fake_teardown)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(what_the_helper_counts_becomes_readings),
		TEST(a_class_that_was_not_seen_is_a_real_zero),
		TEST(before_the_first_report_nothing_is_zero),
		TEST(the_stamp_is_the_beat_of_the_reports),
		TEST(a_helper_that_stops_reporting_has_no_figures),
		TEST(a_time_from_the_future_is_not_believed),
		TEST(one_that_ends_is_started_again_and_its_counts_go_on),
		TEST(one_that_keeps_failing_is_tried_ever_more_rarely),
		TEST(what_is_not_allowed_is_denied_and_told_once),
		TEST(one_that_may_not_be_started_is_denied),
		TEST(one_that_is_not_installed_is_said_at_once),
		TEST(the_helper_is_told_what_was_asked_for),
		TEST(switched_off_is_off),
		TEST(an_interface_that_is_down_waits_for_its_return),
		TEST(a_bond_is_not_counted_beside_its_cards),
		TEST(a_bond_that_is_named_is_counted),
		TEST(the_loss_of_frames_is_told_when_it_begins),
		TEST(its_words_cannot_hurt),
		TEST(the_last_packets_of_one_that_ends_are_kept),
		TEST(packets_that_are_not_kept_are_told),
		TEST(where_packets_cannot_be_kept_that_is_told),
		TEST(a_long_interval_does_not_make_the_helper_wait),
	};

	if (argc == 3 && !strcmp(argv[1], "--put"))
		return put_evidence(argv[2]);
	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
		return EXIT_FAILURE;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
