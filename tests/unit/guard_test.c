/* Files that do not answer: they are late alone, and well again when they answer. */
#include "config.h"

#include "fake_root.h"
#include "source/guard.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void what_answers_is_read_as_ever(void **memory)
{
	const struct fake_bench *bench = *memory;
	struct attr one, two;
	struct guard_read reads[3];
	char text[32];
	uint64_t value = 0;

	fake_file(&bench->root, "sys/depth", " 32\n");
	fake_file(&bench->root, "sys/state", "running\n");
	assert_int_equal(guard_u64(bench->root.sys, "depth", &value), WHY_NONE);
	assert_int_equal(value, 32);
	assert_int_equal(
		guard_text(bench->root.sys, "state", text, sizeof text), WHY_NONE);
	assert_string_equal(text, "running");
	assert_int_equal(guard_u64(bench->root.sys, "state", &value), WHY_UNSUPPORTED);
	assert_int_equal(guard_u64(bench->root.sys, "none", &value), WHY_UNSUPPORTED);
	attr_open(&one, bench->root.sys, "depth");
	attr_open(&two, bench->root.sys, "state");
	reads[0] = (struct guard_read){.fd = one.fd, .what = "a"};
	reads[1] = (struct guard_read){.fd = -1, .why = WHY_DENIED, .what = "b"};
	reads[2] = (struct guard_read){.fd = two.fd, .what = "c"};
	guard_read(reads, 3);
	assert_string_equal(reads[0].text, " 32\n");
	assert_int_equal(reads[1].why, WHY_DENIED);
	assert_string_equal(reads[2].text, "running\n");
	attr_close(&one);
	attr_close(&two);
}

/* More than one worker takes at once. */
static void many_are_read_in_their_order(void **memory)
{
	const struct fake_bench *bench = *memory;
	struct guard_read reads[150];
	struct attr attrs[150];
	char path[32], want[16];

	for (size_t i = 0; i < 150; i++) {
		(void)snprintf(path, sizeof path, "sys/%zu", i);
		fake_file(&bench->root, path, "%zu\n", i);
		attr_open(&attrs[i], bench->root.sys, path + 4);
		reads[i] = (struct guard_read){.fd = attrs[i].fd, .what = path};
	}
	guard_read(reads, 150);
	for (size_t i = 0; i < 150; i++) {
		(void)snprintf(want, sizeof want, "%zu\n", i);
		assert_string_equal(reads[i].text, want);
		attr_close(&attrs[i]);
	}
}

/* A pipe that nobody writes into takes whoever opens it. */
static void what_does_not_answer_is_late_alone(void **memory)
{
	const struct fake_bench *bench = *memory;
	const struct fake_root *root = &bench->root;
	char pipe[120], other[120], text[128];
	uint64_t value;
	int fd;

	(void)snprintf(pipe, sizeof pipe, "%s/depth", root->sys);
	(void)snprintf(other, sizeof other, "%s/pipe", root->sys);
	fake_file(root, "sys/well", "7\n");
	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(link(pipe, other), 0);
	for (int i = 0; i < 200; i++) {
		/* the first waits, the others would take a minute if they did */
		assert_int_equal(guard_u64(root->sys, "depth", &value), WHY_LATE);
		assert_int_equal(guard_u64(root->sys, "well", &value), WHY_NONE);
		assert_int_equal(value, 7);
	}
	guard_trouble(text, sizeof text);
	assert_non_null(strstr(text, "/depth late "));
	/* it answers; what comes is nobody's any more */
	assert_int_equal(unlink(pipe), 0);
	fake_file(root, "sys/depth", "12\n");
	assert_int_equal(guard_u64(root->sys, "depth", &value), WHY_LATE);
	fd = open(other, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	while (guard_u64(root->sys, "depth", &value) == WHY_LATE)
		;
	assert_int_equal(value, 12);
	guard_trouble(text, sizeof text);
	assert_string_equal(text, "");
}

#define BENCH(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH(what_answers_is_read_as_ever),
		BENCH(many_are_read_in_their_order),
		BENCH(what_does_not_answer_is_late_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
