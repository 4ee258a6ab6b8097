/* Placeholders: nothing that was to be hidden is left anywhere, the same thing has the
 * same one, and what only looks like an address stays. */
#include "config.h"

#include "report/redact.h"

#include "report_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void check_text(struct redactor *redactor, const char *from, const char *to)
{
	struct buffer out = {0};

	redact_text(redactor, from, &out);
	assert_string_equal(buffer_string(&out), to);
	buffer_fini(&out);
}

static void the_same_address_in_any_spelling_is_the_same(void **state)
{
	struct redactor *redactor = redactor_new(REDACT_KNOWN);

	(void)state;
	check_text(redactor, "10.1.0.20:3260, 10.1.0.21 and 10.1.0.20.",
		"addr1:3260, addr2 and addr1.");
	check_text(redactor, "[2001:db8::1]:2049 2001:0DB8:0:0:0:0:0:1",
		"[addr3]:2049 addr3");
	check_text(redactor, "::ffff:10.1.0.20%eth0 fe80::1%eth0/64",
		"addr1%eth0 addr4%eth0/64");
	check_text(
		redactor, "00:00:5e:00:53:10@pci 00-00-5E-00-53-10", "mac1@pci mac1");
	check_text(redactor,
		"iqn.2010-01.com.example:sn.5 (iqn.2010-01.com.example:sn.5)",
		"target1 (target1)");
	redactor_free(redactor);
}

static void what_only_looks_like_an_address_stays(void **state)
{
	static const char *const texts[] = {"02:06:10 to 02:46:02", "0000:3b:00.0",
		"kernel 6.12.48-amd64", "1.2.3", "1.2.3.4.5", "10.02.09.400",
		"v1.2.3.4", "127.0.0.1 ::1 :: 0.0.0.0 255.255.255.0", "std::string",
		"ff:ff:ff:ff:ff:ff", "nqn. iqn.", "7:0:0:1", "a:b", ""};
	struct redactor *redactor = redactor_new(REDACT_KNOWN);

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		check_text(redactor, texts[i], texts[i]);
	redactor_free(redactor);
}

static void a_host_is_one_with_and_without_its_domain(void **state)
{
	struct redactor *redactor = redactor_new(REDACT_KNOWN);

	(void)state;
	redactor_learn_host(redactor, "db07.example.net");
	redactor_learn_host(redactor, "192.0.2.7"); /* an address, not a name */
	check_text(redactor, "db07: DB07.example.net (db071, sw3.example.net)",
		"host1: host1 (db071, host2)");
	check_text(redactor, "example.net sw3.example.net db07_x 192.0.2.7",
		"example.net host2 db07_x addr1");
	redactor_free(redactor);
}

static void identities_go_only_with_all(void **state)
{
	static const char text[] =
		"3600a098038303053453f463045733524c 0x500a09838a1b2c3d "
		"5f1c0001-0000-4000-8000-0000000000e2 naa.600140512345 "
		"1790813170000000000";
	struct redactor *known = redactor_new(REDACT_KNOWN);
	struct redactor *all = redactor_new(REDACT_ALL);

	(void)state;
	check_text(known, text, text);
	check_text(all, text, "wwid1 wwid2 wwid3 wwid4 1790813170000000000");
	redactor_free(known);
	redactor_free(all);
}

static void an_unknown_level_names_those_there_are(void **state)
{
	enum redact_level level;
	struct fault fault;

	(void)state;
	assert_true(redact_level_find("", &level, &fault));
	assert_int_equal(level, REDACT_KNOWN);
	assert_true(redact_level_find("all", &level, &fault));
	assert_int_equal(level, REDACT_ALL);
	assert_false(redact_level_find("some", &level, &fault));
	assert_string_equal(
		fault.text, "unknown way to redact 'some'; there are: known, all");
}

/* ---- a whole report ---- */

/* What names the site of make_site(); the rest only with "all". */
static const char *const secrets[] = {"db07", "example", "10.1.0.20", "filer",
	"00:00:5e", "iqn.2010", "jdoe", "kmoore", "lsmith", "192.0.2.9", "pbaker",
	"CORPNET", "2001:db8"};
static const char *const all_secrets[] = {"3600a098", "/srv/mail", "/export", "tender",
	"secret-place", "Zander", "demo", "swap", "5f1c0001"};

static void put_fact(struct recording *recording, int64_t at, enum kind kind,
	const char *name, const char *key, const char *value)
{
	struct fact fact = {.at = at * NSEC_PER_SEC,
		.kind = kind,
		.name = name,
		.id = "",
		.key = key,
		.value = value,
		.why = WHY_NONE};

	(void)session_fact(recording->session, &fact); /* the same again says nothing */
}

static void put_facts(struct recording *recording)
{
	put_fact(recording, 1, KIND_NIC, "eno1", "address", "00:00:5e:00:53:10");
	put_fact(recording, 1, KIND_NIC, "eno1", "firmware", "22.31.10.14");
	put_fact(recording, 1, KIND_HOST, "host", "cmdline", "root=x ip=10.1.0.20");
	put_fact(recording, 1, KIND_MOUNT, "/srv/mail", "source", "filer:/export/db");
	put_fact(recording, 1, KIND_PEER, "10.1.0.20:3260", "targetname",
		"iqn.2010-01.com.example:sn.5");
	put_fact(recording, 1, KIND_DISK, "sda", "mounted", "/srv/mail /secret-place");
	put_fact(recording, 45, KIND_DISK, "sda", "mounted", "/srv/mail");
	put_fact(recording, 45, KIND_NIC, "eno1", "address", "00:00:5e:00:53:11");
	put_fact(recording, 45, KIND_NIC, "eno1", "firmware", "22.31.10.15");
	put_fact(recording, 45, KIND_MOUNT, "/srv/mail", "source",
		"10.1.0.20:/export/db");
	put_fact(recording, 45, KIND_HOST, "host", "cmdline", "root=x ip=192.0.2.9");
	put_fact(recording, 1, KIND_MOUNT, "/srv/mail", "username", "pbaker");
	put_fact(recording, 1, KIND_MOUNT, "/srv/mail", "domain", "CORPNET");
	put_fact(recording, 45, KIND_MOUNT, "/srv/mail", "username", "root");
}

static void make_site(struct recording *recording)
{
	struct subject *subject;
	uint32_t id;

	recording_init(recording, 0);
	(void)add_disk(recording, "sda");
	subject = &recording->catalog.subjects[recording->catalog.subject_count - 1];
	(void)snprintf(subject->id, sizeof subject->id,
		"3600a098038303053453f463045733524c@iscsi 10.1.0.20");
	(void)snprintf(subject->label, sizeof subject->label, "/srv/mail");
	(void)snprintf(subject->detail, sizeof subject->detail, "iscsi 10.1.0.20");
	id = recording_subject(recording, KIND_PEER, "10.1.0.20:3260", "", "via eno1");
	(void)recording_series(recording, id, RAW_PEER_TX_BYTES, 100);
	id = recording_subject(
		recording, KIND_MOUNT, "filer:/export/db", "/srv/mail", "");
	(void)recording_series(recording, id, RAW_MOUNT_READ_OPS, 3);
	(void)recording_window(recording, ROLE_OTHER, "tender-swap", 0, 30);
	(void)recording_window(recording, ROLE_OTHER, "second", 30, 60);
	recording_ticks(recording, 62);
	recording_note(recording, NOTE_TEXT, 5, "Zander of db07 swaps 10.1.0.20", NULL);
	recording_note(recording, NOTE_ATTACHMENT, 6, "switch of filer",
		"Zander\nport to 10.1.0.20\nsw3.example.net");
	recording_note(recording, NOTE_EVENT, 7, "10.1.0.20:3260 is gone", NULL);
	recording_note(recording, NOTE_TEXT, 8,
		"kmoore and CORPNET: no answer from 2001:db8::5. 2001:db8::6: slow",
		NULL);
	for (size_t i = 0; i < recording->session->note_count; i++)
		(void)snprintf(
			recording->session->notes[i].author, AUTHOR_NAME, "jdoe");
	put_facts(recording);
}

/* As `weir report --redact` does it. */
static const char *page_of(struct recording *recording, struct redactor *redactor,
	enum report_format format, struct buffer *page)
{
	struct report_options options = {.format = format,
		.written = RECORDING_WALL,
		.author = "kmoore",
		.file = "/home/lsmith/db07/demo.weir",
		.redactor = redactor};
	struct fault fault;

	assert_true(report_choose(recording->session, NULL, 0, &options, &fault));
	buffer_clear(page);
	assert_true(report_write(recording->session, &options, page, NULL, &fault));
	return buffer_string(page);
}

static void check_lacks_all(
	const char *page, const char *const *texts, size_t count, const char *format)
{
	for (size_t i = 0; i < count; i++)
		if (strstr(page, texts[i]))
			fail_msg("%s tells %s: %.60s", format, texts[i],
				strstr(page, texts[i]));
}

static void check_formats(enum redact_level level)
{
	struct redactor *redactor = redactor_new(level);
	struct recording recording;
	struct buffer page = {0};

	make_site(&recording);
	report_learn_people(&(struct report_options){.author = "kmoore",
		.file = "/home/lsmith/db07/demo.weir",
		.redactor = redactor});
	redact_session(redactor, recording.session);
	for (int format = 0; format < REPORT_FORMATS; format++) {
		const char *text = page_of(
			&recording, redactor, (enum report_format)format, &page);

		check_lacks_all(text, secrets, sizeof secrets / sizeof *secrets, text);
		if (level == REDACT_ALL)
			check_lacks_all(text, all_secrets,
				sizeof all_secrets / sizeof *all_secrets, text);
	}
	buffer_fini(&page);
	recording_fini(&recording);
	redactor_free(redactor);
}

static void no_format_tells_what_was_to_be_hidden(void **state)
{
	(void)state;
	check_formats(REDACT_KNOWN);
	check_formats(REDACT_ALL);
}

static void a_redacted_report_still_tells_what_is_the_same(void **state)
{
	struct redactor *redactor = redactor_new(REDACT_KNOWN);
	struct recording recording;
	struct buffer page = {0};
	const char *text;

	(void)state;
	make_site(&recording);
	redact_session(redactor, recording.session);
	text = page_of(&recording, redactor, REPORT_TEXT, &page);
	check_page(text);
	check_has(text, "Redacted     host names");
	check_has(text, "sda  /srv/mail  (iscsi addr1)");
	check_has(text, "addr1:3260");
	check_has(text, "Zander of host1 swaps addr1 (user3)");
	check_has(text, "Written by   user4");
	check_has(text, "mac1 > mac2");
	check_has(text, "22.31.10.14 > 22.31.10.15"); /* no address */
	check_has(text, "host2:/export/db > addr1:/export/db");
	check_has(text, "ip=addr1 > root=x ip=addr");
	check_has(text, "| host3"); /* of the same domain */
	buffer_fini(&page);
	recording_fini(&recording);
	redactor_free(redactor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_address_in_any_spelling_is_the_same),
		cmocka_unit_test(what_only_looks_like_an_address_stays),
		cmocka_unit_test(a_host_is_one_with_and_without_its_domain),
		cmocka_unit_test(identities_go_only_with_all),
		cmocka_unit_test(an_unknown_level_names_those_there_are),
		cmocka_unit_test(no_format_tells_what_was_to_be_hidden),
		cmocka_unit_test(a_redacted_report_still_tells_what_is_the_same),
	};

	return cmocka_run_group_tests_name("redact", tests, NULL, NULL);
}
