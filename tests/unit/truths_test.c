/* Sessions whose truth is known, made from a seed, and the words that a report finds
 * for them; the whole pages are tests/golden/report/truth-*.txt. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "packet/class.h"
#include "report_page.h"
#include "series.h"

#include <math.h>
#include <string.h>

enum {
	WINDOW = 2400
};

static struct recording r;
static size_t reads, queue, bytes, bad;

static void begin(uint64_t seed)
{
	uint32_t disk, nic;

	recording_init(&r, 0);
	disk = recording_subject(&r, KIND_DISK, "sda", "", "");
	nic = recording_subject(&r, KIND_NIC, "eth0", "", "");
	reads = recording_series(&r, disk, RAW_DISK_READ_OPS, 0);
	(void)recording_series(&r, disk, RAW_DISK_WRITE_OPS, 0);
	queue = recording_series(&r, disk, RAW_DISK_WEIGHTED_MS, 0);
	bytes = recording_series(&r, nic, RAW_NET_RX_BYTES, 0);
	(void)recording_series(&r, nic, RAW_CAPTURE_SEGMENTS, 1000);
	bad = recording_series(&r, nic,
		raw_packet((unsigned)packet_class_find("tcp.cksum"), PACKET_RX), 0);
	series_seed(seed);
}

/* What a window is made of. */
struct truth {
	double load;   /* reads per second */
	double each;   /* of the queue: ms that each read adds */
	double stream; /* bytes per second received */
	bool bad;      /* a bad packet each 40 s */
};

/* WINDOW seconds more, as a window called NAME. */
static void play(const char *name, enum role role, struct truth truth)
{
	int64_t from = r.tick.at < 0 ? 0 : r.tick.at / NSEC_PER_SEC;

	if (!from)
		recording_ticks(&r, 1);
	(void)recording_window(&r, role, name, from, from + WINDOW);
	for (size_t t = 0; t < WINDOW; t++) {
		double load = truth.load * exp(0.2 * series_normal());

		r.step[reads] = (uint64_t)load;
		r.step[queue] =
			(uint64_t)(truth.each * load * exp(0.2 * series_normal()));
		r.step[bytes] = (uint64_t)(truth.stream * exp(0.1 * series_normal()));
		r.step[bad] = truth.bad && t % 40 == 0;
		recording_ticks(&r, 1);
	}
}

static const struct truth usual = {300, 20, 25e6, false};

static const char *result(const char *const *names, size_t count, struct buffer *out)
{
	char *text;

	write_windows(r.session, names, count, REPORT_TEXT, out);
	text = buffer_string(out);
	*strstr(text, "2  DISKS") = 0; /* the result only */
	return text;
}

static const char *const pair[] = {"BEFORE", "AFTER"};

static const char *line(const char *page, const char *first, const char *second)
{
	for (const char *at = strstr(page, first); at; at = strstr(at + 1, first)) {
		const char *found = strstr(at, second);
		const char *stop = strchr(at, '\n');

		if (found && found < stop)
			return at;
	}
	fail_msg("no line with '%s' and '%s' in %s", first, second, page);
	return NULL;
}

static void lacks_words(const char *page)
{
	check_lacks(page, "BETTER");
	check_lacks(page, "WORSE");
	check_lacks(page, "HIGHER");
	check_lacks(page, "LOWER");
}

static void nothing_changed(void **unused)
{
	struct buffer out = {0};

	(void)unused;
	begin(101);
	play("BEFORE", ROLE_BEFORE, usual);
	play("AFTER", ROLE_AFTER, usual);
	lacks_words(result(pair, 2, &out));
	buffer_fini(&out);
	check_text_page(r.session, pair, 2, "truth-same");
	recording_fini(&r);
}

static void the_queue_is_halved_at_the_same_load(void **unused)
{
	struct buffer out = {0};

	(void)unused;
	begin(102);
	play("BEFORE", ROLE_BEFORE, usual);
	play("AFTER", ROLE_AFTER, (struct truth){300, 10, 25e6, false});
	(void)line(result(pair, 2, &out), "BETTER", "queue");
	buffer_fini(&out);
	check_text_page(r.session, pair, 2, "truth-halved");
	recording_fini(&r);
}

static void the_queue_is_halved_because_the_load_fell(void **unused)
{
	struct buffer out = {0};
	const char *page;

	(void)unused;
	begin(103);
	play("BEFORE", ROLE_BEFORE, usual);
	play("AFTER", ROLE_AFTER, (struct truth){150, 20, 25e6, false});
	page = result(pair, 2, &out);
	check_lacks(page, "BETTER");
	check_lacks(page, "WORSE");
	check_has(page, "It differs");
	(void)line(page, "LOWER", "ops");
	buffer_fini(&out);
	check_text_page(r.session, pair, 2, "truth-load-fell");
	recording_fini(&r);
}

static void rare_bad_packets_are_gone(void **unused)
{
	struct buffer out = {0};
	const char *page;

	(void)unused;
	begin(104);
	play("BEFORE", ROLE_BEFORE, (struct truth){300, 20, 25e6, true});
	play("AFTER", ROLE_AFTER, usual);
	page = result(pair, 2, &out);
	(void)line(page, "BETTER", "TCP checksum bad");
	check_lacks(page, "WORSE");
	buffer_fini(&out);
	check_text_page(r.session, pair, 2, "truth-packets-gone");
	recording_fini(&r);
}

static void three_settings_do_nothing_and_the_fourth_does(void **unused)
{
	static const char *const names[] = {
		"BEFORE", "queues", "rss", "offload", "signing"};
	struct buffer out = {0};
	const char *page;

	(void)unused;
	begin(105);
	play("BEFORE", ROLE_BEFORE, usual);
	for (size_t i = 1; i < 4; i++)
		play(names[i], ROLE_OTHER, usual);
	play("signing", ROLE_OTHER, (struct truth){300, 20, 100e6, false});
	page = result(names, 5, &out);
	(void)line(page, "E HIGHER", "rx");
	check_lacks(page, "B HIGHER");
	check_lacks(page, "C HIGHER");
	check_lacks(page, "D HIGHER");
	check_lacks(page, "WORSE");
	check_lacks(page, "BETTER");
	buffer_fini(&out);
	check_text_page(r.session, names, 5, "truth-fourth-setting");
	recording_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_changed),
		cmocka_unit_test(the_queue_is_halved_at_the_same_load),
		cmocka_unit_test(the_queue_is_halved_because_the_load_fell),
		cmocka_unit_test(rare_bad_packets_are_gone),
		cmocka_unit_test(three_settings_do_nothing_and_the_fourth_does),
	};

	return cmocka_run_group_tests_name("truths", tests, NULL, NULL);
}
