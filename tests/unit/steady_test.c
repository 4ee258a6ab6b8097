/*
 * A steady tick allocates nothing: every source that reads files itself is asked
 * many times on an unchanged system, and each call of malloc is counted. (libstatgrab
 * is a library and does as it likes.)
 */
#include "config.h"

#include "fake_root.h"
#include "source/diskstats.h"
#include "source/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef WEIR_SANITIZED
static atomic_ulong allocations;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __libc_realloc(memory, size);
}

static unsigned long allocated(void)
{
	return atomic_load(&allocations);
}
#else
static unsigned long allocated(void) /* sanitizers have the allocator */
{
	return 0;
}
#endif

static void populate(struct fake_bench *bench)
{
	static char lines[65536];
	size_t used = 0;
	char name[64];

	for (int i = 0; i < 64; i++) {
		(void)snprintf(name, sizeof name, "sd%d", i);
		fake_disk(&bench->root, name, "LUN");
		used += (size_t)snprintf(lines + used, sizeof lines - used,
			"8 %d sd%d 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", i, i);
		(void)snprintf(name, sizeof name, "sys/block/nbd%d/size", i);
		fake_file(&bench->root, name, "0\n"); /* hidden, and asked again */
	}
	for (int i = 0; i < 32; i++) {
		(void)snprintf(name, sizeof name, "eth%d", i);
		fake_nic(&bench->root, name, "02:00:00:00:00:01");
		(void)snprintf(name, sizeof name, "sys/class/net/eth%d/device/x", i);
		fake_file(&bench->root, name, "1\n");
	}
	fake_file(&bench->root, "proc/diskstats", "%s", lines);
	fake_file(&bench->root, "proc/net/snmp", "Tcp: InSegs OutSegs\nTcp: 1 2\n");
	fake_file(&bench->root, "proc/net/netstat", "TcpExt: TCPTimeouts\nTcpExt: 1\n");
	fake_file(&bench->root, "proc/net/softnet_stat", "1 2 3\n1 2 3\n");
	fake_file(&bench->root, "proc/stat", "cpu0 1 2 3 4 5 6 7 8\ncpu1 1 2 3 4\n");
	fake_file(&bench->root, "proc/self/statm", "1 2 3\n");
}

static void a_steady_tick_allocates_nothing(void **memory)
{
	static const struct source *const asked[] = {&source_diskstats,
		&source_inflight, &source_netsysfs, &source_snmp, &source_cpu,
		&source_host};
	struct fake_bench *bench = *memory;
	char *probe;

	populate(bench);
#ifndef WEIR_SANITIZED
	probe = malloc(1);
	free(probe);
	if (!allocated()) {
		print_message("another allocator is in place (valgrind)\n");
		skip();
	}
#else
	(void)probe;
#endif
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		unsigned long before;

		fake_start(bench, asked[i]);
		for (int k = 0; k < 20; k++)
			(void)fake_tick(bench);
		before = allocated();
		for (int k = 0; k < 30; k++) /* also the looks every ten seconds */
			(void)fake_tick(bench);
		if (allocated() != before)
			fail_msg("%s allocated %lu times in 30 ticks", asked[i]->name,
				allocated() - before);
		if (asked[i] != &source_cpu) /* no core did anything */
			assert_true(bench->sink.reading_count > 0);
		asked[i]->close(bench->state);
		sink_fini(&bench->sink);
		bench->source = NULL;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_steady_tick_allocates_nothing, fake_setup, fake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
