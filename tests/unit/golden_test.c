/*
 * Golden screens: a session made by hand is drawn at several sizes and in several
 * states and compared, text and roles, with tests/golden/NAME.txt. `make golden`
 * rewrites the files. Figures that matter are asserted by themselves below, from the
 * numbers that the stage was told.
 */
#include "config.h"

#include "../golden/stage.h"

#include "base/scan.h"
#include "base/text.h"
#include "core/backlog.h"
#include "tui/screen.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct set {
	struct stage stage;
	struct view view;
	struct status status;
	struct canvas canvas;
	struct buffer out;
};

static void set_up(struct set *set, int end)
{
	memset(set, 0, sizeof *set);
	stage_init(&set->stage, "hba2nic");
	stage_play(&set->stage, end);
	view_init(&set->view);
	set->status.recording = true;
	set->status.viewers = 1;
}

static void tear_down(struct set *set)
{
	stage_fini(&set->stage);
	view_fini(&set->view);
	canvas_fini(&set->canvas);
	buffer_fini(&set->out);
}

static const char *drawn(struct set *set, int rows, int columns, bool roles)
{
	canvas_resize(&set->canvas, rows, columns);
	view_judge(&set->view, set->stage.session);
	screen_draw(set->stage.session, &set->view, &set->status, &set->canvas);
	buffer_clear(&set->out);
	canvas_print(&set->canvas, &set->out, roles);
	return buffer_string(&set->out);
}

static void write_golden(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Compares with the file, or rewrites it. */
static void golden(struct set *set, const char *name, int rows, int columns)
{
	const char *top = getenv("WEIR_SRC");
	const char *text = drawn(set, rows, columns, true);
	struct buffer file = {0};
	struct fault fault = {0, ""};
	char path[512];

	assert_true(text_format(
		path, sizeof path, "%s/tests/golden/%s.txt", top ? top : ".", name));
	if (getenv("WEIR_GOLDEN")) {
		write_golden(path, text);
		return;
	}
	if (!scan_file("", path, &file, 1 << 20, &fault))
		fail_msg("%s", fault.text);
	if (strcmp(buffer_string(&file), text))
		fail_msg("%s differs; the screen is now:\n%s", path, text);
	buffer_fini(&file);
}

static void says(const char *screen, const char *text)
{
	if (!strstr(screen, text))
		fail_msg("\"%s\" is not on the screen:\n%s", text, screen);
}

/* ---- what the goldens show ---- */

static void two_minutes_into_after(void **state)
{
	struct set set;

	(void)state;
	set_up(&set, 310);
	golden(&set, "after-60x15", 15, 60);
	golden(&set, "after-80x24", 24, 80);
	golden(&set, "after-132x43", 43, 132);
	golden(&set, "after-100x50", 50, 100);
	set.view.focus = PANE_DISK;
	set.view.zoom = true;
	golden(&set, "zoom-80x24", 24, 80);
	tear_down(&set);
}

static void before_any_mark(void **state)
{
	struct set set;

	(void)state;
	set_up(&set, 9);
	golden(&set, "first-80x24", 24, 80);
	tear_down(&set);
}

static void before_is_open(void **state)
{
	struct set set;

	(void)state;
	set_up(&set, 70);
	golden(&set, "before-80x24", 24, 80);
	tear_down(&set);
}

static void a_pause_is_unmistakable(void **state)
{
	struct set set;
	const char *screen;
	char line[81] = "";

	(void)state;
	set_up(&set, 310);
	view_go(&set.view, set.stage.session, 120 * NSEC_PER_SEC);
	golden(&set, "paused-80x24", 24, 80);
	screen = drawn(&set, 24, 80, true);
	/* 02:06:10 + 120 s; 310 - 120 = 190 s behind */
	says(screen, "PAUSED at 02:08:10, 3m10s behind, recording continues");
	memset(line, 'P', 80);
	says(screen, line); /* the whole width */
	tear_down(&set);
}

static void a_gap_shows_in_every_place(void **state)
{
	struct set set;
	const char *screen;

	(void)state;
	set_up(&set, 60);
	stage_tick(&set.stage, 30, GAP_MISSED);
	for (int i = 0; i < 9; i++)
		stage_tick(&set.stage, 1, GAP_NONE);
	golden(&set, "gap-80x24", 24, 80);
	screen = drawn(&set, 24, 80, false);
	says(screen, "gap 02:07:10-02:07:40 (missed)");
	/* seconds 0 to 60 and ten more of the 100 that there should have been */
	says(screen, "71 of 100 ticks");
	tear_down(&set);
}

static void trouble_replaces_the_second_line(void **state)
{
	struct set set;

	(void)state;
	set_up(&set, 310);
	(void)text_copy(set.status.trouble, sizeof set.status.trouble,
		"the disk under the session is full: 41 ticks wait in memory");
	golden(&set, "trouble-80x24", 24, 80);
	tear_down(&set);
}

static void without_capture_the_pane_says_what_is_missing(void **state)
{
	struct set set;
	const char *screen;
	uint32_t host, nic, disk;

	(void)state;
	memset(&set, 0, sizeof set);
	stage_init(&set.stage, "plain");
	host = stage_subject(&set.stage, KIND_HOST, "host", "");
	nic = stage_subject(&set.stage, KIND_NIC, "eth0", "");
	disk = stage_subject(&set.stage, KIND_DISK, "vda", "");
	for (int i = 0; i < 40; i++) {
		stage_add(&set.stage, host, RAW_TCP_RETRANS_SEGS, i == 20 ? 4 : 0);
		stage_add(&set.stage, nic, RAW_NET_RX_BYTES, 125000);
		stage_add(&set.stage, nic, RAW_NET_TX_BYTES, 125);
		stage_add(&set.stage, nic, RAW_NET_RX_CRC, i > 30 ? 2 : 0);
		stage_why(&set.stage, nic, RAW_CAPTURE_FRAMES, WHY_DENIED);
		stage_add(&set.stage, disk, RAW_DISK_READ_OPS, 0);
		stage_add(&set.stage, disk, RAW_DISK_WEIGHTED_MS, 0);
		stage_tick(&set.stage, 1, GAP_NONE);
	}
	view_init(&set.view);
	set.status.recording = true;
	golden(&set, "no-capture-80x24", 24, 80);
	screen = drawn(&set, 24, 80, false);
	says(screen, "no capture (denied)");
	says(screen, "tcp retrans");
	says(screen, "  4 "); /* in the last ten minutes: fewer than five, so no rate */
	says(screen, "rx crc eth0");
	tear_down(&set);
}

static void many_disks_scroll_and_filter(void **state)
{
	struct set set;
	const char *screen;

	(void)state;
	set_up(&set, 60);
	for (int n = 0; n < 40; n++) {
		char name[16];

		(void)text_format(name, sizeof name, "sdx%02d", n);
		(void)stage_subject(&set.stage, KIND_DISK, name, "");
	}
	for (int i = 0; i < 4; i++) {
		for (int n = 0; n < 40; n++) {
			char name[16];
			uint32_t disk;

			(void)text_format(name, sizeof name, "sdx%02d", n);
			disk = stage_subject(&set.stage, KIND_DISK, name, "");
			stage_add(
				&set.stage, disk, RAW_DISK_READ_OPS, n % 2 ? 10u : 0u);
			stage_add(&set.stage, disk, RAW_DISK_WEIGHTED_MS,
				(uint64_t)n * 1000);
		}
		stage_tick(&set.stage, 1, GAP_NONE);
	}
	set.view.focus = PANE_DISK;
	set.view.panes[PANE_DISK].selected = 12;
	golden(&set, "many-80x24", 24, 80);
	screen = drawn(&set, 24, 80, false);
	says(screen, "\n>"); /* the selected row is in sight */
	assert_true(view_filter(&set.view, PANE_DISK, "!^sdx", NULL));
	golden(&set, "filter-80x24", 24, 80);
	says(drawn(&set, 24, 80, false), "1/!^sdx: 40 hidden");
	tear_down(&set);
}

/* One disk that is slow, one that is full and silent, one that is blocked. */
static void stall_second(struct stage *stage, const uint32_t disks[3], int second)
{
	static const unsigned held[3] = {64, 16, 0};
	bool hangs = second >= 8;

	for (int i = 0; i < 3; i++) {
		unsigned depth = hangs ? held[i] : 4;

		stage_add(stage, disks[i], RAW_DISK_READ_OPS, hangs ? 0 : 400);
		stage_add(stage, disks[i], RAW_DISK_READ_MS, hangs ? 0 : 4000);
		stage_add(stage, disks[i], RAW_DISK_WEIGHTED_MS, hangs ? 0 : 4000);
		stage_set(stage, disks[i], RAW_DISK_PENDING, depth);
		stage_add(stage, disks[i], RAW_DISK_INFLIGHT_SUM, depth * 50);
		stage_add(stage, disks[i], RAW_DISK_SAMPLES, 50);
		stage_set(stage, disks[i], RAW_DISK_INFLIGHT_MAX, depth);
		stage_set(stage, disks[i], RAW_DISK_LIMIT, i == 0 ? 128 : 16);
		stage_set(stage, disks[i], RAW_DISK_LIMIT_LEAST, i == 0 ? 128 : 16);
		stage_set(stage, disks[i], RAW_DISK_STATE, hangs && i == 2);
		if (!hangs || i != 2)
			continue;
		stage_set(stage, disks[i], RAW_DISK_HOLD, HOLD_SESSION);
		stage_set(stage, disks[i], RAW_DISK_GIVES_UP_S, 120);
	}
	stage_tick(stage, 1, GAP_NONE);
}

static void a_disk_that_hangs_says_so_with_its_age(void **state)
{
	uint32_t disks[3];
	struct set set;
	const char *screen;

	(void)state;
	memset(&set, 0, sizeof set);
	stage_init(&set.stage, "hang");
	for (int i = 0; i < 3; i++) {
		char name[8];

		(void)text_format(name, sizeof name, "sd%c", 'f' + i);
		disks[i] = stage_subject(&set.stage, KIND_DISK, name, "");
	}
	for (int i = 0; i < 35; i++)
		stall_second(&set.stage, disks, i);
	view_init(&set.view);
	set.status.recording = true;
	golden(&set, "stall-80x24", 24, 80);
	golden(&set, "stall-132x43", 43, 132);
	screen = drawn(&set, 24, 80, false);
	/* nothing completed since the tick of 7 s; now it is 34 s */
	says(screen, "STALL 27s");
	says(screen, " 64.0 ");
	says(screen, ">=16 ");
	says(screen, "BLOCKED");
	tear_down(&set);
}

/* Names that try to move the cursor, to be wide, or to be endless. */
static void hostile_names_stay_in_their_cells(void **state)
{
	static const char *const names[] = {"\x1b[2J\x1b[31mred", "a\nb\tc",
		"\xe4\xba\x8c\xe4\xba\x8c\xe4\xba\x8c", "\xff\xfe%s%n%d",
		"very-long-name-with-a-tail-that-tells-it-apart-0123456789-END"};
	struct set set;
	const char *screen;

	(void)state;
	set_up(&set, 5);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		uint32_t disk =
			stage_subject(&set.stage, KIND_DISK, names[i], names[i]);

		stage_add(&set.stage, disk, RAW_DISK_READ_OPS, 0);
	}
	stage_tick(&set.stage, 1, GAP_NONE);
	stage_note(&set.stage, NOTE_TEXT, 6, "note \x1b]0;title\x07 with %s");
	golden(&set, "hostile-80x24", 24, 80);
	screen = drawn(&set, 24, 80, false);
	for (const char *at = screen; *at; at++)
		assert_true(*at == '\n' || ((unsigned char)*at >= ' ' && *at != 0x7f));
	tear_down(&set);
}

/* The first row of a queue in the order of the page. */
static uint32_t queue_of(struct set *set)
{
	const struct session *session = set->stage.session;
	const struct judge *judge = &set->view.judge;

	for (size_t i = 0; i < judge->order_count; i++) {
		const struct track *track = &session->tracks[judge->order[i].track];

		if (!strcmp(metric_at(track->metric)->id, "disk.queue"))
			return judge->order[i].track;
	}
	fail_msg("no queue is compared");
	return 0;
}

/* One request outstanding, and nine for one second in 200 of BEFORE and for 20 in 100
 * of AFTER, whose first minute is left out. */
static void a_queue_shows_how_often_it_peaked(void **state)
{
	struct set set = {.status.recording = true};
	const char *screen;
	uint32_t disk;

	(void)state;
	stage_init(&set.stage, "peaks");
	disk = stage_subject(&set.stage, KIND_DISK, "sda", "");
	stage_add(&set.stage, disk, RAW_DISK_READ_OPS, 0);
	stage_add(&set.stage, disk, RAW_DISK_WEIGHTED_MS, 0);
	stage_window(&set.stage, ROLE_BEFORE, "BEFORE", 10, 410);
	stage_window(&set.stage, ROLE_AFTER, "AFTER", 410, 810);
	for (int t = 0; t <= 820; t++) {
		bool peak = t <= 410 ? t % 200 == 0 : t % 100 < 20;

		stage_add(&set.stage, disk, RAW_DISK_READ_OPS, 100);
		stage_add(&set.stage, disk, RAW_DISK_WEIGHTED_MS, peak ? 9000 : 1000);
		stage_tick(&set.stage, 1, GAP_NONE);
	}
	view_init(&set.view);
	set.view.page = PAGE_COMPARE;
	set.view.evidence = true;
	(void)drawn(&set, 24, 80, false);
	set.view.compared = queue_of(&set) + 1;
	screen = drawn(&set, 24, 80, false);
	/* 500 to 519, 600 to 619, 700 to 719, 800 to 810: the interval before 810 is in
	 * it */
	says(screen, "peaks: 2 > 71 ticks above A's p99 of 1");
	says(screen, " in 2 > 4 stretches, the longest 1s > 20s");
	tear_down(&set);
}

static void pages_over_the_panes(void **state)
{
	struct set set;

	(void)state;
	set_up(&set, 310);
	set.view.page = PAGE_HELP;
	golden(&set, "help-132x43", 43, 132);
	set.view.page = PAGE_COMPARE;
	golden(&set, "compare-80x24", 24, 80);
	set.view.evidence = true;
	golden(&set, "evidence-80x24", 24, 80);
	set.view.page = PAGE_WINDOWS;
	set.view.window = 2;
	golden(&set, "windows-80x24", 24, 80);
	set.view.page = PAGE_EVENTS;
	golden(&set, "events-80x24", 24, 80);
	set.view.page = PAGE_DIGEST;
	digest_open(&set.view, set.stage.session, 150 * NSEC_PER_SEC);
	golden(&set, "digest-80x24", 24, 80);
	set.view.page = PAGE_EXPLAIN;
	set.view.focus = PANE_DISK;
	golden(&set, "explain-80x24", 24, 80);
	tear_down(&set);
}

/* ---- figures against what the stage was told ---- */

/* Over as many rows as it takes, by whole words; a tiny screen shows its beginning. */
static void a_long_message_is_read_to_its_end(void **state)
{
	static const char message[] =
		"cannot write "
		"/srv/very/long/folder/of/somebody/report-hba2nic-20261001.txt: "
		"No space left on device; the session itself is safe";
	struct set set;
	const char *screen;

	(void)state;
	set_up(&set, 310);
	view_say(&set.view, set.stage.session, true, "%s", message);
	screen = drawn(&set, 24, 80, false);
	says(screen, "\ncannot write /srv/very/long/folder/of/somebody/"
		     "report-hba2nic-20261001.txt: No");
	says(screen, "\nspace left on device; the session itself is safe");
	screen = drawn(&set, 24, 50, false);
	says(screen, "No space left on device; the session itself is");
	says(screen, "\nsafe");
	screen = drawn(&set, 4, 40, false);
	says(screen, "cannot write /srv/");
	view_say(&set.view, set.stage.session, false, "short");
	says(drawn(&set, 24, 80, false), "\nshort");
	tear_down(&set);
}

static void the_disk_row_is_right(void **state)
{
	struct set set;
	const char *screen;

	(void)state;
	set_up(&set, 310);
	screen = drawn(&set, 24, 80, false);
	/* BEFORE: 3 and 5 in turn, mean 4; AFTER: 12: three times */
	says(screen, "AFTER v BEFORE (BEFORE under 5m: no verdict): ");
	says(screen, "mpatha queue 4.00 > 12.0 (3.0x)");
	/* 400 reads of 64 KiB: 26.2144 MB/s; 100 writes of 4 KiB: 0.41 MB/s */
	says(screen, "26.2");
	says(screen, "0.41");
	/* 30 ms a read, half of it a write; queue of 12 is digit 4 (8 to 15) */
	says(screen, "30.0 15.0");
	says(screen, " 44444");
	tear_down(&set);
}

static void the_packet_row_is_right(void **state)
{
	struct set set;
	const char *screen;

	(void)state;
	set_up(&set, 310);
	screen = drawn(&set, 24, 80, false);
	/* 60 seconds of 3 in the 120 of AFTER: 180, which is 5400 an hour */
	says(screen, "180");
	says(screen, "0 in 2m00s");
	says(screen, "5.40k/h");
	/* 5 Gb/s = 625 MB/s, halved in AFTER: 2.5 Gb/s of 25 is a tenth */
	says(screen, "2.50G");
	says(screen, "10%");
	tear_down(&set);
}

static void a_screen_of_any_size_keeps_inside(void **state)
{
	struct set set;

	(void)state;
	set_up(&set, 310);
	for (int page = PAGE_NONE; page <= PAGE_WINDOWS; page++) {
		set.view.page = (enum page)page;
		for (int rows = 1; rows <= 60; rows += rows < 30 ? 1 : 10)
			for (int columns = 1; columns <= 200;
				columns += columns < 90 ? 3 : 37) {
				const char *at = drawn(&set, rows, columns, false);
				int lines = 0;

				for (; *at; at += strcspn(at, "\n") + 1, lines++)
					assert_true((int)strcspn(at, "\n") <= columns);
				assert_int_equal(lines, rows);
			}
	}
	tear_down(&set);
}

static void a_session_without_a_tick_is_drawn(void **state)
{
	struct set set = {.status = {.recording = true}};

	(void)state;
	stage_init(&set.stage, "empty");
	view_init(&set.view);
	says(drawn(&set, 24, 80, false), "No BEFORE yet");
	for (int page = PAGE_NONE; page <= PAGE_WINDOWS; page++) {
		set.view.page = (enum page)page;
		(void)drawn(&set, 24, 80, false);
	}
	tear_down(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_minutes_into_after),
		cmocka_unit_test(before_any_mark),
		cmocka_unit_test(before_is_open),
		cmocka_unit_test(a_pause_is_unmistakable),
		cmocka_unit_test(a_gap_shows_in_every_place),
		cmocka_unit_test(trouble_replaces_the_second_line),
		cmocka_unit_test(without_capture_the_pane_says_what_is_missing),
		cmocka_unit_test(many_disks_scroll_and_filter),
		cmocka_unit_test(a_disk_that_hangs_says_so_with_its_age),
		cmocka_unit_test(hostile_names_stay_in_their_cells),
		cmocka_unit_test(pages_over_the_panes),
		cmocka_unit_test(a_queue_shows_how_often_it_peaked),
		cmocka_unit_test(a_long_message_is_read_to_its_end),
		cmocka_unit_test(the_disk_row_is_right),
		cmocka_unit_test(the_packet_row_is_right),
		cmocka_unit_test(a_screen_of_any_size_keeps_inside),
		cmocka_unit_test(a_session_without_a_tick_is_drawn),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		(void)setlocale(LC_CTYPE, "");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
