/*
 * NFS mounts out of /proc/self/mountstats, as kernels of several ages write it:
 * columns that are not there yet, more connections, transports of other columns.
 */
#include "config.h"

#include "fake_root.h"
#include "source/mountstats.h"
#include "source/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define OTHERS                                                                         \
	"device proc mounted on /proc with fstype proc\n"                              \
	"device /dev/sda1 mounted on / with fstype ext4\n"

/* Linux 2.6.32: ten columns of a connection, eight of a procedure. */
static const char old[] = OTHERS
	"device filer:/vol/mail mounted on /var/mail with fstype nfs statvers=1.0\n"
	"\topts:\trw,vers=3,rsize=65536,wsize=65536,namlen=255,hard,proto=tcp,"
	"timeo=600,retrans=2,sec=sys\n"
	"\tage:\t4711\n"
	"\tcaps:\tcaps=0x3fc7,wtmult=4096,dtsize=4096,bsize=0,namlen=255\n"
	"\tsec:\tflavor=1,pseudoflavor=1\n"
	"\tevents:\t1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25\n"
	"\tbytes:\t100 200 0 0 4096 8192 1 2 \n"
	"\tRPC iostats version: 1.0  p/v: 100003/3 (nfs)\n"
	"\txprt:\ttcp 800 1 3 0 -5 1000 998 0 5000 7\n"
	"\tper-op statistics\n"
	"\t        NULL: 0 0 0 0 0 0 0 0\n"
	"\t     GETATTR: 500 500 0 60000 56000 10 200 220\n"
	"\t        READ: 300 302 1 40000 4000000 30 900 1000\n"
	"\t       WRITE: 198 198 0 9000000 30000 5 400 500\n";

/* Linux 6.1: nconnect=2, thirteen columns, errors in the ninth. */
#define NEW                                                                            \
	OTHERS                                                                         \
	"device [2001:db8::5]:/vol/my\\040db mounted on /srv/my\\040db with fstype "   \
	"nfs4 "                                                                        \
	"statvers=1.1\n"                                                               \
	"\topts:\trw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,"  \
	"nconnect=2,timeo=600,retrans=2,sec=krb5,clientaddr=10.1.0.9,local_lock="      \
	"none\n"                                                                       \
	"\tage:\t60\n"                                                                 \
	"\timpl_id:\tname='',domain='',date='0,0'\n"                                   \
	"\tcaps:\tcaps=0xfffbc0bf,wtmult=512,dtsize=1048576,bsize=0,namlen=255\n"      \
	"\tnfsv4:\tbm0=0xfdffbfff,bm1=0xf9be3e,bm2=0x68800,acl=0x3,sessions,pnfs="     \
	"not\n"                                                                        \
	"\tsec:\tflavor=6,pseudoflavor=390003\n"                                       \
	"\tevents:\t0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"           \
	"\tbytes:\t0 0 0 0 1048576 2097152 256 512\n"                                  \
	"\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"                            \
	"\txprt:\ttcp 0 0 2 0 30 110 %d 0 90 0 4 20 10\n"                              \
	"\txprt:\ttcp 0 0 1 0 30 100 %d 0 80 0 4 20 10 99 99\n"                        \
	"\tper-op statistics\n"                                                        \
	"\t        NULL: 2 2 0 88 48 0 1 1 0\n"                                        \
	"\t        READ: 16 16 0 3000 1050000 8 32 48 0\n"                             \
	"\t       WRITE: 32 32 0 2100000 5000 3200 160 3360 1\n"                       \
	"\t      LOOKUP: 9 9 0 1800 900 0 9 9 4\n"

static void columns_of_an_old_kernel_are_read(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;
	const char *name = "filer:/vol/mail";

	fake_file(&bench->root, "proc/self/mountstats", "%s", old);
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	assert_int_equal(sink->subject_count, 1);
	assert_string_equal(fake_subject(sink, name)->label, "/var/mail");
	assert_string_equal(fake_subject(sink, name)->detail,
		"vers=3,rsize=65536,wsize=65536,hard,proto=tcp,timeo=600,retrans=2,"
		"sec=sys");
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_READ_OPS), 300);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_READ_RTT_MS), 900);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_READ_EXECUTE_MS), 1000);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_WRITE_OPS), 198);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_OTHER_OPS), 500);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_READ_BYTES), 4096);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_WRITE_BYTES), 8192);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_RETRANS), 2);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_TIMEOUTS), 1);
	assert_int_equal(fake_why(sink, name, RAW_MOUNT_ERRORS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_CONNECTS), 3);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_INFLIGHT), 2);
}

static void connections_of_a_new_kernel_are_summed(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;
	const char *name = "[2001:db8::5]:/vol/my db";

	fake_file(&bench->root, "proc/self/mountstats", NEW, 100, 94);
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	assert_string_equal(fake_subject(sink, name)->label, "/srv/my db");
	assert_string_equal(fake_subject(sink, name)->detail,
		"vers=4.2,rsize=1048576,wsize=1048576,hard,proto=tcp,nconnect=2,"
		"timeo=600,retrans=2,sec=krb5");
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_INFLIGHT), 16);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_CONNECTIONS), 2);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_CONNECTS), 3);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_ERRORS), 5);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_OTHER_OPS), 11);
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_WRITE_EXECUTE_MS), 3360);
}

static struct nfs_mount parsed(const char *connection)
{
	char text[512], *at = text;
	struct nfs_mount mount, next;

	(void)snprintf(text, sizeof text,
		"device s:/e mounted on /m with fstype nfs statvers=1.1\n\txprt:\t%s\n",
		connection);
	assert_true(mountstats_next(&at, &mount));
	assert_false(mountstats_next(&at, &next));
	return mount;
}

static void each_transport_has_its_own_columns(void **memory)
{
	(void)memory;
	assert_int_equal(parsed("udp 700 1 50 40 0 9 9").sends, 50);
	assert_int_equal(parsed("udp 700 1 50 40 0 9 9").receives, 40);
	assert_int_equal(parsed("rdma 0 1 2 3 4 50 40 1 2 3 4 5 6 7").receives, 40);
	assert_int_equal(parsed("local 1 2 3 4 50 40 0 0 0 0 0 0").sends, 50);
	assert_int_equal(parsed("tcp 1 2 3 4 -7 50 40").receives, 40);
	assert_false(parsed("tcp 1 2 3 4 5 50").have_traffic); /* cut */
	assert_false(parsed("pigeon 1 2 3 4 5 6 7 8").have_traffic);
}

static void what_a_mount_does_not_say_is_not_zero(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountstats",
		"device s:/e mounted on /m with fstype nfs4 statvers=1.1\n"
		"\tbytes:\t1 2 3\n\txprt:\ttcp 0 0 1 0 0 5 6 0 0 0\n"
		"\tper-op statistics\n\tREAD: 1 2 x\n");
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	assert_int_equal(
		fake_why(sink, "s:/e", RAW_MOUNT_READ_OPS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "s:/e", RAW_MOUNT_READ_BYTES, NULL), WHY_UNSUPPORTED);
	/* more answers than questions: no count of what is in flight */
	assert_int_equal(
		fake_why(sink, "s:/e", RAW_MOUNT_INFLIGHT, NULL), WHY_UNSUPPORTED);
}

static void a_server_that_does_not_answer_is_an_event(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountstats", NEW, 110, 100);
	fake_start(bench, &source_mounts);
	(void)fake_tick(bench);
	fake_file(&bench->root, "proc/self/mountstats", NEW, 100, 94);
	for (int i = 0; i < 5; i++)
		assert_int_equal(fake_tick(bench)->event_count, 0);
	sink = fake_tick(bench);
	assert_int_equal(sink->event_count, 1);
	assert_true(fake_event(
		sink, "/srv/my db: no answer for 5 s, 16 requests in flight"));
	assert_int_equal(
		fake_value(sink, "[2001:db8::5]:/vol/my db", RAW_MOUNT_INFLIGHT), 16);
	assert_int_equal(fake_tick(bench)->event_count, 0); /* said once */
	fake_file(&bench->root, "proc/self/mountstats", NEW, 110, 100);
	assert_true(fake_event(
		fake_tick(bench), "/srv/my db: the server answers again after 7 s"));
}

static void one_mount_over_another_is_told_once(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountstats", "%s%s", old, old);
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	assert_int_equal(sink->subject_count, 1);
	assert_int_equal(sink->reading_count, 17);
	fake_file(&bench->root, "proc/self/mountstats", "%s", OTHERS);
	assert_int_equal(fake_tick(bench)->reading_count, 0); /* unmounted */
}

#define BENCH(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH(columns_of_an_old_kernel_are_read),
		BENCH(connections_of_a_new_kernel_are_summed),
		cmocka_unit_test(each_transport_has_its_own_columns),
		BENCH(what_a_mount_does_not_say_is_not_zero),
		BENCH(a_server_that_does_not_answer_is_an_event),
		BENCH(one_mount_over_another_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
