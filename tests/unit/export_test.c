/* Rows of an export: exact text, order, quoting, and the absence of figures. */
#include "config.h"

#include "app/export.h"

#include "recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct exported {
	struct export_rows rows;
	struct buffer out;
};

static void export_each(
	struct recording *recording, const struct buffer *bytes, bool full)
{
	struct exported *exported = recording->context;

	(void)bytes;
	exported->rows.stale |= full;
	export_tick(&exported->rows, recording->session,
		session_wall(recording->session, recording->session->last.at),
		&exported->out);
}

static void begin(struct recording *recording, struct exported *exported,
	enum export_format format)
{
	*exported = (struct exported){.rows = {.format = format}};
	recording_init(recording, 0);
	recording->each = export_each;
	recording->context = exported;
	export_head(&exported->rows, &exported->out);
}

static void end(struct recording *recording, struct exported *exported)
{
	export_rows_fini(&exported->rows);
	buffer_fini(&exported->out);
	recording_fini(recording);
}

static void make_two_ticks(struct recording *recording)
{
	uint32_t disk = recording_subject(recording, KIND_DISK, "sd,a\"", "", "");
	uint32_t nic = recording_subject(recording, KIND_NIC, "eno1", "", "");

	(void)recording_series(recording, nic, RAW_NET_RX_ERRORS, 3);
	(void)recording_series(recording, disk, RAW_DISK_WEIGHTED_MS, 1500);
	recording_ticks(recording, 2);
}

static void csv_has_exact_rows_in_order(void **state)
{
	struct recording recording;
	struct exported exported;

	(void)state;
	begin(&recording, &exported, EXPORT_CSV);
	make_two_ticks(&recording);
	/* 1500 weighted ms in a second are 1.5; disk comes before nic */
	assert_string_equal(buffer_string(&exported.out),
		"time,kind,device,metric,value,why\n"
		"1790813170.000,disk,\"sd,a\"\"\",disk.queue,,first\n"
		"1790813170.000,disk,\"sd,a\"\"\",disk.queue.weighted,,first\n"
		"1790813170.000,nic,eno1,net.rx.errors,,first\n"
		"1790813171.000,disk,\"sd,a\"\"\",disk.queue,1.5,\n"
		"1790813171.000,disk,\"sd,a\"\"\",disk.queue.weighted,1.5,\n"
		"1790813171.000,nic,eno1,net.rx.errors,3,\n");
	end(&recording, &exported);
}

static void json_has_an_object_per_line(void **state)
{
	struct recording recording;
	struct exported exported;

	(void)state;
	begin(&recording, &exported, EXPORT_JSON);
	make_two_ticks(&recording);
	assert_string_equal(buffer_string(&exported.out),
		"{\"time\":1790813170.000,\"kind\":\"disk\",\"device\":\"sd,a\\\"\","
		"\"metric\":\"disk.queue\",\"value\":null,\"why\":\"first\"}\n"
		"{\"time\":1790813170.000,\"kind\":\"disk\",\"device\":\"sd,a\\\"\","
		"\"metric\":\"disk.queue.weighted\",\"value\":null,\"why\":\"first\"}\n"
		"{\"time\":1790813170.000,\"kind\":\"nic\",\"device\":\"eno1\","
		"\"metric\":\"net.rx.errors\",\"value\":null,\"why\":\"first\"}\n"
		"{\"time\":1790813171.000,\"kind\":\"disk\",\"device\":\"sd,a\\\"\","
		"\"metric\":\"disk.queue\",\"value\":1.5,\"why\":null}\n"
		"{\"time\":1790813171.000,\"kind\":\"disk\",\"device\":\"sd,a\\\"\","
		"\"metric\":\"disk.queue.weighted\",\"value\":1.5,\"why\":null}\n"
		"{\"time\":1790813171.000,\"kind\":\"nic\",\"device\":\"eno1\","
		"\"metric\":\"net.rx.errors\",\"value\":3,\"why\":null}\n");
	end(&recording, &exported);
}

static void what_is_missing_has_a_reason_and_no_value(void **state)
{
	struct recording recording;
	struct exported exported;
	uint32_t nic;
	size_t errors;

	(void)state;
	begin(&recording, &exported, EXPORT_CSV);
	nic = recording_subject(&recording, KIND_NIC, "eno1", "", "");
	errors = recording_series(&recording, nic, RAW_NET_RX_ERRORS, 3);
	recording_ticks(&recording, 2);
	recording_gap(&recording, GAP_MISSED, 10 * NSEC_PER_SEC);
	recording.readings[errors].raw = 0;
	recording_ticks(&recording, 1);
	recording.readings[errors].why = WHY_DENIED;
	recording_ticks(&recording, 1);
	recording.readings[errors].why = WHY_ABSENT; /* no row */
	recording_ticks(&recording, 1);
	assert_string_equal(buffer_string(&exported.out),
		"time,kind,device,metric,value,why\n"
		"1790813170.000,nic,eno1,net.rx.errors,,first\n"
		"1790813171.000,nic,eno1,net.rx.errors,3,\n"
		"1790813181.000,nic,eno1,net.rx.errors,,gap\n"
		"1790813182.000,nic,eno1,net.rx.errors,,reset\n"
		"1790813183.000,nic,eno1,net.rx.errors,,denied\n");
	end(&recording, &exported);
}

static void numbers_keep_nine_digits_and_no_locale(void **state)
{
	struct recording recording;
	struct exported exported;
	uint32_t nic;
	size_t bytes;

	(void)state;
	begin(&recording, &exported, EXPORT_CSV);
	nic = recording_subject(&recording, KIND_NIC, "eno1", "", "");
	bytes = recording_series(&recording, nic, RAW_NET_RX_BYTES, 999999999);
	recording_ticks(&recording, 2);
	recording.step[bytes] = 12345678901;
	recording_ticks(&recording, 1);
	assert_non_null(strstr(buffer_string(&exported.out), "bytes,999999999,\n"));
	assert_non_null(
		strstr(buffer_string(&exported.out), "bytes,1.23456789e+10,\n"));
	end(&recording, &exported);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_has_exact_rows_in_order),
		cmocka_unit_test(json_has_an_object_per_line),
		cmocka_unit_test(what_is_missing_has_a_reason_and_no_value),
		cmocka_unit_test(numbers_keep_nine_digits_and_no_locale),
	};

	return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
