/*
 * The shared memory for evidence: what the helper writes the recorder reads; nobody
 * can change its size, before the cage or inside; and whatever a helper that was taken
 * over writes into it, the recorder stays whole.
 */
#include "config.h"

#include "source/shelf.h"

#include "base/cage.h"
#include "capture/shelf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	OK = 0,
	NOT_MAPPED = 91,
	NOT_CAGED = 92,
	OPENED = 93,
	KILLED = -SIGSYS
};

static struct shelf shelf;
static uint8_t *mine; /* the helper's side, in the child or here */
static uint8_t bytes[EVIDENCE_ROOM_WHOLE];

static int open_shelf(void **state)
{
	struct fault fault = {0};

	(void)state;
	if (!shelf_open(&shelf, false, &fault)) {
		printf("%s\n", fault.text);
		return -1;
	}
	mine = mmap(NULL, shelf.size, PROT_READ | PROT_WRITE, MAP_SHARED, shelf.fd, 0);
	return mine == MAP_FAILED ? -1 : 0;
}

static int close_shelf(void **state)
{
	(void)state;
	(void)munmap(mine, shelf.size);
	shelf_close(&shelf);
	return 0;
}

static struct evidence_entry entry(uint32_t finding)
{
	static uint8_t data[EVIDENCE_ROOM];

	memset(data, (int)finding, sizeof data);
	return (struct evidence_entry){.time = finding,
		.captured = finding % EVIDENCE_ROOM,
		.length = 2000,
		.finding = finding,
		.place = -1,
		.direction = PACKET_TX,
		.seen = {finding},
		.data = data};
}

static void what_is_written_is_read(void **state)
{
	struct evidence_writer writer = {.memory = mine};
	struct evidence_entry got;

	(void)state;
	assert_false(evidence_reader_next(&shelf.reader, &got, bytes));
	for (uint32_t i = 1; i <= 500; i++) {
		struct evidence_entry put = entry(i);

		evidence_writer_put(&writer, &put);
		assert_true(evidence_reader_next(&shelf.reader, &got, bytes));
		assert_int_equal(got.time, i);
		assert_int_equal(got.captured, put.captured);
		assert_int_equal(got.length, 2000);
		assert_int_equal(got.place, -1);
		assert_int_equal(got.direction, PACKET_TX);
		assert_int_equal(got.seen[0], i);
		assert_memory_equal(got.data, put.data, put.captured);
	}
	assert_false(evidence_reader_next(&shelf.reader, &got, bytes));
	assert_int_equal(shelf.reader.lost, 0);
}

static void a_slow_reader_gets_the_newest_and_knows_what_it_lost(void **state)
{
	struct evidence_writer writer = {.memory = mine};
	struct evidence_entry got = {0};
	uint64_t count = 0, before = 0;

	(void)state;
	for (uint32_t i = 1; i <= 20000; i++) {
		struct evidence_entry put = entry(i);

		evidence_writer_put(&writer, &put);
	}
	for (; evidence_reader_next(&shelf.reader, &got, bytes); count++) {
		assert_true(got.finding > before);
		before = got.finding;
	}
	assert_int_equal(got.finding, 20000);
	assert_int_equal(count + shelf.reader.lost, 20000);
	assert_true(count > 1000);
}

/* Every byte of the memory is anything: nothing is read past its end, what comes out
 * is in range, and it ends. */
static void a_hostile_memory_does_no_harm(void **state)
{
	struct evidence_entry got;
	unsigned seed = 1;

	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		uint64_t written = round % 3 ? (uint64_t)rand_r(&seed) << (round % 40)
					     : shelf.reader.next + 3;
		unsigned taken = 0;

		for (size_t i = 0; i < shelf.size; i += 64)
			mine[i + (size_t)rand_r(&seed) % 64] = (uint8_t)rand_r(&seed);
		memcpy(mine, &written, sizeof written);
		/* entries that look whole, with senseless lengths */
		for (size_t i = 0; i < 8; i++)
			memset(mine + 64 + i * (shelf.size / 4096) + 16, 0xff, 8);
		while (evidence_reader_next(&shelf.reader, &got, bytes)) {
			assert_true(got.captured <= EVIDENCE_ROOM);
			assert_true(got.direction < PACKET_DIRECTIONS);
			assert_in_range(got.place + EVIDENCE_AROUND, 0, 4);
			assert_true(++taken <= 5000);
		}
	}
}

static void an_entry_that_is_being_written_is_passed_over(void **state)
{
	struct evidence_writer writer = {.memory = mine};
	struct evidence_entry put = entry(1), got;
	uint64_t half = 1; /* odd: entry 0 is not done */

	(void)state;
	evidence_writer_put(&writer, &put);
	memcpy(mine + 64, &half, sizeof half);
	assert_false(evidence_reader_next(&shelf.reader, &got, bytes));
	assert_int_equal(shelf.reader.lost, 1);
	evidence_writer_put(&writer, &put);
	assert_true(evidence_reader_next(&shelf.reader, &got, bytes));
}

/* ---- its size ---- */

static void nobody_can_change_its_size(void **state)
{
	(void)state;
	assert_int_equal(ftruncate(shelf.fd, 0), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(shelf.fd, (off_t)shelf.size * 2), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(fcntl(shelf.fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
}

/* The exit status of a child that has the memory as its standard input, maps it as
 * weir-capture does, enters the cage and then does TRY. */
static int inside(int (*try)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		struct cage got;
		struct fault fault;

		if (dup2(shelf.fd, STDIN_FILENO) < 0)
			_exit(NOT_MAPPED);
		mine = shelf_map(false, &fault);
		if (!mine)
			_exit(NOT_MAPPED);
		if (!cage_enter(CAGE_CAPTURE, &got, NULL) || !got.filter)
			_exit(NOT_CAGED);
		_exit(try());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int write_one(void)
{
	struct evidence_writer writer = {.memory = mine};
	struct evidence_entry put = entry(7);

	evidence_writer_put(&writer, &put);
	return OK;
}

static int shrink(void)
{
	return ftruncate(STDIN_FILENO, 0) ? errno : OK;
}

/* The descriptor that the test left open: weir-capture closes what it inherits. */
static int grow(void)
{
	return ftruncate(shelf.fd, (off_t)shelf.size * 2) ? errno : OK;
}

static int seal(void)
{
	return fcntl(shelf.fd, F_ADD_SEALS, F_SEAL_WRITE) ? errno : OK;
}

static int map_again(void)
{
	return mmap(NULL, shelf.size, PROT_READ, MAP_SHARED, shelf.fd, 0) == MAP_FAILED
		       ? errno
		       : OPENED;
}

static int open_a_file(void)
{
	return open("/etc/passwd", O_RDONLY) < 0 ? errno : OPENED;
}

static int make_a_file(void)
{
	return open("/dev/shm/weir-test", O_RDWR | O_CREAT, 0600) < 0 ? errno : OPENED;
}

static int new_memory(void)
{
	return memfd_create("another", 0) < 0 ? errno : OPENED;
}

static void from_inside_the_cage_it_can_be_written_and_nothing_else(void **state)
{
	struct evidence_entry got;
	int first = inside(write_one);

	(void)state;
	if (first == NOT_CAGED) {
		print_message("the filter is not loaded in this build\n");
		skip();
	}
	assert_int_equal(first, OK);
	assert_true(evidence_reader_next(&shelf.reader, &got, bytes));
	assert_int_equal(got.finding, 7);
	assert_int_equal(inside(shrink), KILLED);
	assert_int_equal(inside(grow), KILLED);
	assert_int_equal(inside(seal), KILLED);
	assert_int_equal(inside(map_again), KILLED);
	assert_int_equal(inside(new_memory), KILLED);
	assert_int_equal(inside(open_a_file), EACCES);
	assert_int_equal(inside(make_a_file), EACCES);
}

static void what_is_not_sealed_is_not_taken(void **state)
{
	int loose = memfd_create("loose", MFD_ALLOW_SEALING);
	int kept = dup(STDIN_FILENO);
	struct fault fault;

	(void)state;
	assert_true(loose >= 0 && kept >= 0);
	assert_int_equal(ftruncate(loose, (off_t)shelf.size), 0);
	assert_true(dup2(loose, STDIN_FILENO) == STDIN_FILENO);
	assert_null(shelf_map(false, &fault));
	assert_true(dup2(shelf.fd, STDIN_FILENO) == STDIN_FILENO);
	assert_null(shelf_map(true, &fault)); /* of another size */
	assert_true(dup2(kept, STDIN_FILENO) == STDIN_FILENO);
	(void)close(loose);
	(void)close(kept);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_shelf, close_shelf)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_written_is_read),
		TEST(a_slow_reader_gets_the_newest_and_knows_what_it_lost),
		TEST(a_hostile_memory_does_no_harm),
		TEST(an_entry_that_is_being_written_is_passed_over),
		TEST(nobody_can_change_its_size),
		TEST(from_inside_the_cage_it_can_be_written_and_nothing_else),
		TEST(what_is_not_sealed_is_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
