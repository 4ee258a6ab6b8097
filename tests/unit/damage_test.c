/* One page of a session damaged, each in turn and in several ways: what is lost is what
 * lay on that page, and that something is lost is said. */
#include "config.h"

#include "base/alloc.h"
#include "store/store.h"

#include "folder.h"
#include "recording.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	PAGE = 4096,
	NOTES = 120,
	FACTS = 200,
	PACKETS = 150,
	PACKET_MOST = 6000, /* so that some need pages of their own */
	PAGES_MOST = 2000
};

/* How much of everything was read. */
struct content {
	unsigned runs, windows, notes, facts, gaps, packets;
	uint64_t ticks;
};

struct page {
	char table[24], type[12];
	unsigned cells;
};

static struct fault fault;
static struct store *made;
static struct page pages[PAGES_MOST + 1];
static unsigned page_count;
static struct content sound;

/* ---- a session with some of everything ---- */

static void keep_tick(
	struct recording *recording, const struct buffer *bytes, bool full)
{
	assert_true(store_tick(
		made, recording->tick.at, full, bytes->data, bytes->size, &fault));
}

static void record(struct recording *recording)
{
	uint32_t disk;

	recording_init(recording, 8);
	recording->each = keep_tick;
	disk = recording_subject(recording, KIND_DISK, "sda", "data", "a disk");
	for (unsigned raw = 0; raw < 12; raw++)
		(void)recording_series(recording, disk, raw, raw * 1000 + 3);
	(void)recording_window(recording, ROLE_BEFORE, "BEFORE", 2, 90);
	(void)recording_window(recording, ROLE_AFTER, "AFTER", 130, 0);
	/* so long that it is made from minutes */
	(void)recording_window(recording, ROLE_OTHER, "LONG", 1, 20000);
	for (int i = 0; i < 5; i++) {
		recording_ticks(recording, 130);
		recording_gap(recording, GAP_MISSED, 100 * NSEC_PER_SEC);
	}
	recording_ticks(recording, 130);
	for (int i = 0; i < NOTES; i++)
		recording_note(recording, i % 40 ? NOTE_TEXT : NOTE_ATTACHMENT, i,
			"a note that is long enough for some pages of them",
			i % 40 ? NULL : "line\nline\n");
}

static void write_facts(void)
{
	struct facts facts = {.count = 0};

	for (int i = 0; i < FACTS; i++) {
		char name[24];

		(void)snprintf(name, sizeof name, "sd%d", i); /* fits */
		assert_true(facts_put(
			&facts, &(struct fact){.kind = KIND_DISK,
					.name = name,
					.id = "",
					.key = "scheduler",
					.value = "one of those that there are"}));
	}
	assert_true(store_facts(made, &facts, &fault));
	facts_fini(&facts);
}

/* Each is filled with its number; every fifth is long. */
static void write_packets(void)
{
	static uint8_t bytes[PACKET_MOST];
	struct evidence_batch batch = {0};

	for (uint32_t i = 1; i <= PACKETS; i++) {
		struct evidence_packet packet = {.linktype = 1, .interface = "eth0"};

		memset(bytes, (int)i, sizeof bytes);
		packet.entry = (struct evidence_entry){.time = i % 7,
			.captured = i % 5 ? 60 : PACKET_MOST,
			.length = PACKET_MOST,
			.finding = i,
			.data = bytes};
		evidence_batch_add(&batch, &packet);
	}
	assert_true(store_evidence(made, 0, &batch, &fault));
	evidence_batch_fini(&batch);
}

static void write_rest(const struct session *session)
{
	bool more;

	for (size_t i = 0; i < session->run_count; i++)
		assert_true(store_run(made, &session->runs[i], &fault));
	for (size_t i = 0; i < session->note_count; i++) {
		struct note note = session->notes[i];

		note.id = (uint32_t)i + 1;
		assert_true(store_note(made, &note, &fault));
	}
	assert_true(store_windows(made, &session->windows, &fault));
	write_facts();
	write_packets();
	assert_true(store_follow(made, 100000, &more, &fault));
}

static int take_page(void *context, int columns, char **values, char **names)
{
	unsigned number = (unsigned)strtoul(values[0], NULL, 10);

	(void)context;
	(void)names;
	assert_int_equal(columns, 4);
	assert_in_range(number, 1, PAGES_MOST);
	(void)snprintf(
		pages[number].table, sizeof pages[number].table, "%s", values[1]);
	(void)snprintf(pages[number].type, sizeof pages[number].type, "%s", values[2]);
	pages[number].cells = (unsigned)strtoul(values[3], NULL, 10);
	if (number > page_count)
		page_count = number;
	return 0;
}

/* ---- reading it as report, export and evidence do ---- */

static void take_packet(
	void *context, const struct evidence_packet *packet, const char *classes)
{
	const struct evidence_entry *entry = &packet->entry;
	static volatile unsigned sum;
	struct content *content = context;

	(void)classes;
	content->packets++;
	for (uint32_t i = 0; i < entry->captured; i++)
		sum += entry->data[i]; /* each byte is there */
}

static bool is_told(const struct session *session)
{
	for (size_t i = 0; i < session->note_count; i++)
		if (session->notes[i].kind == NOTE_EVENT &&
			strstr(session->notes[i].text, "damaged"))
			return true;
	return false;
}

static bool report_it(struct store *store, struct content *content)
{
	struct session *session = session_new("", 4);
	uint32_t ids[WINDOW_MAX];
	bool told;

	if (store_load(store, session, &fault)) {
		for (size_t i = 0; i < session->windows.count; i++)
			ids[i] = session->windows.list[i].id;
		told = !store_sum_up(
			       store, session, ids, session->windows.count, &fault) ||
		       is_told(session);
	} else {
		told = true;
	}
	content->gaps = (unsigned)session->gap_count;
	session_free(session);
	return told;
}

static bool replay_it(struct store *store, struct content *content)
{
	struct session *session = session_new("", 4);
	bool told = !store_load(store, session, &fault);

	content->runs = (unsigned)session->run_count;
	content->windows = (unsigned)session->windows.count;
	content->notes = (unsigned)session->note_count;
	content->facts = (unsigned)session->facts.count;
	told |= !store_replay(store, INT64_MIN, INT64_MAX, session, &fault) ||
		is_told(session);
	content->ticks = session->ticks;
	session_free(session);
	return told;
}

/* Whether somebody who reads it is told that something lacks. */
static bool read_it(const char *name, struct content *content)
{
	struct store *store = store_open(folder_path(name), STORE_READ, &fault);
	bool told = false;

	*content = (struct content){.runs = 0};
	if (!store)
		return true;
	told |= report_it(store, content);
	told |= !store_evidence_each(store, take_packet, content, &fault);
	told |= replay_it(store, content);
	told |= store_damage(store, &fault);
	store_close(store);
	return told;
}

static int make(void **state)
{
	struct recording recording;
	sqlite3 *db;

	assert_int_equal(folder_begin(state), 0);
	made = store_open(folder_path("sound.weir"), STORE_CREATE, &fault);
	assert_non_null(made);
	assert_true(store_begin(made, &fault));
	record(&recording);
	assert_true(store_end(made, &fault));
	write_rest(recording.session);
	recording_fini(&recording);
	store_close(made);
	assert_int_equal(sqlite3_open(folder_path("sound.weir"), &db), SQLITE_OK);
	/* a library without it leaves all pages without a name */
	(void)sqlite3_exec(db, "SELECT pageno,name,pagetype,ncell FROM dbstat",
		take_page, NULL, NULL);
	(void)sqlite3_close(db);
	assert_false(read_it("sound.weir", &sound));
	assert_int_equal(sound.notes, NOTES);
	assert_int_equal(sound.facts, FACTS);
	assert_int_equal(sound.packets, PACKETS);
	assert_int_equal(sound.windows, 3);
	assert_true(sound.gaps >= 5);
	return 0;
}

/* ---- damaging it ---- */

static void zero(uint8_t *page)
{
	memset(page, 0, PAGE);
}

static void ones(uint8_t *page)
{
	memset(page, 0xff, PAGE);
}

static void inverted(uint8_t *page)
{
	for (int i = 0; i < PAGE; i++)
		page[i] = (uint8_t)~page[i];
}

/* It seems to hold half of its cells. */
static void fewer(uint8_t *page)
{
	unsigned cells = (unsigned)page[3] << 8 | page[4];

	page[3] = 0;
	page[4] = (uint8_t)(cells / 2);
}

/* Its second half was not written. */
static void torn(uint8_t *page)
{
	memset(page + PAGE / 2, 0, PAGE / 2);
}

/* Its places of cells are those of others. */
static void turned(uint8_t *page)
{
	for (int i = 8; i < 60; i += 2) {
		uint8_t keep = page[i];

		page[i] = page[i + 1];
		page[i + 1] = keep;
	}
}

static void damage(unsigned number, void (*how)(uint8_t *page))
{
	static uint8_t page[PAGE];
	int fd = open(folder_path("sound.weir"), O_RDONLY | O_CLOEXEC);
	off_t at = (off_t)(number - 1) * PAGE;

	folder_cut("bent.weir", "sound.weir", (size_t)page_count * PAGE);
	assert_int_equal(pread(fd, page, PAGE, at), PAGE);
	assert_int_equal(close(fd), 0);
	how(page);
	fd = open(folder_path("bent.weir"), O_WRONLY | O_CLOEXEC);
	assert_int_equal(pwrite(fd, page, PAGE, at), PAGE);
	assert_int_equal(close(fd), 0);
}

/* What a page of TABLE costs, of which LOST rows are not there any more. */
static void assert_cost(unsigned number, const char *table, unsigned lost)
{
	const struct page *page = &pages[number];
	bool here = !strcmp(page->table, table);
	unsigned most = !here                         ? 0
			: !strcmp(page->type, "leaf") ? page->cells
						      : 1; /* overflow */

	if (lost > most)
		fail_msg("page %u (%s of %s): %u rows of %s are lost, %u at most",
			number, page->type, page->table, lost, table, most);
	if (here && !strcmp(page->type, "leaf"))
		assert_int_equal(lost, page->cells);
}

static void a_page_costs_what_lay_on_it(void **state)
{
	(void)state;
	if (!page_count)
		skip(); /* this SQLite does not say what lies where */
	for (unsigned i = 2; i <= page_count; i++) {
		struct content content;

		if (!strcmp(pages[i].type, "internal") || !pages[i].table[0])
			continue;
		damage(i, zero);
		(void)read_it("bent.weir", &content);
		assert_cost(i, "evidence", sound.packets - content.packets);
		assert_cost(i, "notes",
			content.notes > sound.notes ? 0 : sound.notes - content.notes);
		assert_cost(i, "facts", sound.facts - content.facts);
		assert_cost(i, "windows", sound.windows - content.windows);
		assert_cost(i, "runs", sound.runs - content.runs);
	}
}

static bool is_less(const struct content *content)
{
	return content->runs < sound.runs || content->windows < sound.windows ||
	       content->notes < sound.notes || content->facts < sound.facts ||
	       content->gaps < sound.gaps || content->packets < sound.packets ||
	       content->ticks < sound.ticks;
}

static void nothing_is_lost_in_silence(void **state)
{
	static void (*const ways[])(uint8_t * page) = {
		zero, ones, inverted, fewer, torn, turned};
	static const char *const names[] = {
		"zero", "ones", "inverted", "fewer", "torn", "turned"};

	(void)state;
	if (!page_count)
		skip(); /* as above */
	for (unsigned i = 1; i <= page_count; i++)
		for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
			struct content content;
			bool told;

			damage(i, ways[way]);
			told = read_it("bent.weir", &content);
			if (is_less(&content) && !told)
				fail_msg("page %u (%s of %s), %s: not told", i,
					pages[i].type, pages[i].table, names[way]);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_costs_what_lay_on_it),
		cmocka_unit_test(nothing_is_lost_in_silence),
	};

	return cmocka_run_group_tests(tests, make, folder_end);
}
