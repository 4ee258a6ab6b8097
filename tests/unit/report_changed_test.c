/* What changed on the host, as the report tells it: all of it, what nobody announced
 * first, and nothing else. */
#include "config.h"

#include "report/report.h"

#include "json_page.h"
#include "report_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* BEFORE is 0 to 100, CHANGE to 200, AFTER 200 to 300. */
static void begin(struct recording *recording)
{
	recording_init(recording, 0);
	(void)add_disk(recording, "sda");
	(void)recording_window(recording, ROLE_BEFORE, "BEFORE", 0, 100);
	(void)recording_window(recording, ROLE_CHANGE, "CHANGE", 100, 200);
	(void)recording_window(recording, ROLE_AFTER, "AFTER", 200, 300);
}

static void put(struct recording *recording, int64_t at, enum kind kind,
	const char *name, const char *key, const char *value)
{
	struct fact fact = {.at = at * NSEC_PER_SEC,
		.kind = kind,
		.name = name,
		.id = "",
		.key = key,
		.value = value ? value : "",
		.why = value ? WHY_NONE : WHY_ABSENT};

	assert_true(session_fact(recording->session, &fact));
}

static void put_disk(struct recording *recording, int64_t at, const char *name,
	const char *key, const char *value)
{
	put(recording, at, KIND_DISK, name, key, value);
}

/* The section alone. */
static const char *page_of(struct recording *recording, struct buffer *page)
{
	char *text, *end;

	recording_ticks(recording, 301);
	write_report(recording->session, REPORT_TEXT, page);
	check_page(buffer_string(page));
	text = strstr(buffer_string(page), "WHAT CHANGED ON THE HOST");
	assert_non_null(text);
	end = strstr(text, "NOTES AND EVENTS");
	assert_non_null(end);
	*end = 0;
	return text;
}

static size_t count_of(const char *text, const char *word)
{
	size_t count = 0;

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		count++;
	return count;
}

static void exactly_what_changed_is_listed(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	begin(&recording);
	put_disk(&recording, 1, "sda", "scheduler", "none");
	put_disk(&recording, 1, "sda", "read_ahead_kb", "128");
	put_disk(&recording, 1, "sda", "nr_requests", "64");
	put_disk(&recording, 150, "sda", "read_ahead_kb", "4096");
	text = page_of(&recording, &page);
	check_has(text, "A > B   not announced by any note\n");
	check_row(text, "WHAT CHANGED", "~ sda", "read_ahead_kb 128 > 4096");
	check_has(text, "A > B: otherwise no difference in 2 facts.");
	check_lacks(text, "scheduler");
	check_lacks(text, "while B ran");
	buffer_fini(&page);
	recording_fini(&recording);
}

/* The recorder gives its host an id. */
static void the_head_tells_of_system_and_clock(void **state)
{
	static const char *const facts[][2] = {{"distribution", "Some Linux 12"},
		{"clock.synchronised", "yes"}, {"clock.error", "at most 10ms"}};
	struct recording recording;
	struct buffer page = {0};

	(void)state;
	begin(&recording);
	for (size_t i = 0; i < 3; i++) {
		struct fact fact = {.at = NSEC_PER_SEC,
			.kind = KIND_HOST,
			.name = "host",
			.id = "host",
			.key = facts[i][0],
			.value = facts[i][1]};

		assert_true(session_fact(recording.session, &fact));
	}
	recording_ticks(&recording, 301);
	write_report(recording.session, REPORT_TEXT, &page);
	check_has(buffer_string(&page), "System       Some Linux 12\n"
					"Clock kept   yes\n"
					"Clock off    at most 10ms\n");
	buffer_clear(&page);
	write_report(recording.session, REPORT_JSON, &page);
	check_documented(buffer_string(&page));
	buffer_fini(&page);
	recording_fini(&recording);
}

static void a_note_announces_what_it_names(void **state)
{
	static const struct {
		const char *note;
		bool announces;
	} rows[] = {
		{"read_ahead_kb to 4096", true},
		{"set READ_AHEAD_KB.", true},
		{"tuned sda a little", true},
		{"moved /var/mail", true}, /* as people call it */
		{"tuned sdaa", false},
		{"tuned sda-1", false},
		{"read_ahead_kb_max", false},
		{"something else", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct recording recording;
		struct buffer page = {0};
		const char *text;

		begin(&recording);
		put_disk(&recording, 1, "sda", "read_ahead_kb", "128");
		put_disk(&recording, 150, "sda", "read_ahead_kb", "4096");
		recording_note(&recording, NOTE_TEXT, 120, rows[i].note, NULL);
		/* what weir itself said announces nothing */
		recording_note(&recording, NOTE_EVENT, 150, "sda read_ahead_kb", NULL);
		text = page_of(&recording, &page);
		if (rows[i].announces != (strstr(text, "   announced: \"") != NULL))
			fail_msg("\"%s\"\n%s", rows[i].note, text);
		if (rows[i].announces == (strstr(text, "not announced") != NULL))
			fail_msg("\"%s\"\n%s", rows[i].note, text);
		buffer_fini(&page);
		recording_fini(&recording);
	}
}

static void what_changed_while_a_window_ran_is_flagged(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	begin(&recording);
	put_disk(&recording, 1, "sda", "scheduler", "none");
	put_disk(&recording, 1, "sda", "nr_requests", "64");
	put_disk(&recording, 50, "sda", "nr_requests", "32");
	put_disk(&recording, 60, "sda", "nr_requests", "64");
	put_disk(&recording, 250, "sda", "scheduler", "bfq");
	text = page_of(&recording, &page);
	check_has(text, "none > bfq  (while B ran,");
	check_has(text, "64 > 32  (while A ran,");
	check_has(text, "32 > 64  (while A ran,");
	assert_int_equal(count_of(text, "~ sda"), 3); /* each once */
	check_has(text, "otherwise no difference in 1 fact.");
	buffer_fini(&page);
	recording_fini(&recording);
}

/* An HBA out, a card in: two lines, not two hundred. */
static void a_device_that_came_or_went_is_one_line(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	begin(&recording);
	put(&recording, 1, KIND_NIC, "eno1", "driver", "ixgbe");
	put(&recording, 1, KIND_NIC, "eno1", "mtu", "1500");
	put_disk(&recording, 1, "sda", "scheduler", "none");
	put(&recording, 150, KIND_NIC, "eno1", "driver", NULL);
	put(&recording, 150, KIND_NIC, "eno1", "mtu", NULL);
	put(&recording, 160, KIND_NIC, "ens5f0", "driver", "mlx5_core");
	put(&recording, 160, KIND_NIC, "ens5f0", "mtu", "9000");
	put(&recording, 160, KIND_NIC, "ens5f0", "rings.rx", "512 of 8192");
	text = page_of(&recording, &page);
	check_row(text, "WHAT CHANGED", "- eno1",
		"gone driver ixgbe, mtu 1500 (2 facts)");
	check_has(text,
		"+ ens5f0        new                     driver mlx5_core, mtu 9000");
	check_has(text, "(3 facts)");
	check_lacks(text, "rings.rx");
	buffer_fini(&page);
	/* and to a program all of it */
	write_report(recording.session, REPORT_JSON, &page);
	check_has(buffer_string(&page), "\"key\": \"rings.rx\"");
	buffer_fini(&page);
	recording_fini(&recording);
}

static void a_session_without_facts_says_so(void **state)
{
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	begin(&recording);
	text = page_of(&recording, &page);
	check_has(text, "Nothing was read in this session.");
	check_lacks(text, "no difference");
	buffer_fini(&page);
	recording_fini(&recording);
}

static void a_whole_page(void **state)
{
	struct recording recording;
	struct fact denied = {.at = NSEC_PER_SEC,
		.kind = KIND_DISK,
		.name = "sda",
		.id = "",
		.key = "wbt_lat_usec",
		.value = "",
		.why = WHY_DENIED};

	(void)state;
	begin(&recording);
	put(&recording, 1, KIND_HOST, "host", "net.ipv4.tcp_sack", "1");
	put(&recording, 1, KIND_HOST, "host", "kernel", "6.1.0-18-amd64");
	put_disk(&recording, 1, "sda", "scheduler", "none");
	put_disk(&recording, 1, "sda", "read_ahead_kb", "128");
	put(&recording, 1, KIND_MOUNT, "/srv/mail", "hard", "on");
	assert_true(session_fact(recording.session, &denied));
	put(&recording, 0, KIND_SOURCE, "fc", FACT_NOTHING, "absent: no FC adapter");
	put(&recording, 0, KIND_SOURCE, "iscsi", FACT_NOTHING, "absent: no session");
	put(&recording, 210, KIND_SOURCE, "iscsi", FACT_NOTHING, NULL);
	recording_note(&recording, NOTE_TEXT, 120, "scheduler to mq-deadline", NULL);
	put_disk(&recording, 130, "sda", "scheduler", "mq-deadline");
	put_disk(&recording, 140, "sda", "read_ahead_kb", "4096");
	put(&recording, 150, KIND_HOST, "host", "net.ipv4.tcp_sack", "0");
	put(&recording, 240, KIND_MOUNT, "/srv/mail", "hard", NULL);
	put(&recording, 240, KIND_MOUNT, "/srv/mail", "soft", "on");
	recording_ticks(&recording, 301);
	check_report(recording.session, "changed");
	recording_fini(&recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exactly_what_changed_is_listed),
		cmocka_unit_test(the_head_tells_of_system_and_clock),
		cmocka_unit_test(a_note_announces_what_it_names),
		cmocka_unit_test(what_changed_while_a_window_ran_is_flagged),
		cmocka_unit_test(a_device_that_came_or_went_is_one_line),
		cmocka_unit_test(a_session_without_facts_says_so),
		cmocka_unit_test(a_whole_page),
	};

	return cmocka_run_group_tests_name("report changed", tests, NULL, NULL);
}
