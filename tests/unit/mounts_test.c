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
	/* two of the sends were second ones */
	assert_int_equal(fake_value(sink, name, RAW_MOUNT_INFLIGHT), 0);
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

/* What one xprt: line says of VALUE, or NONE. */
#define NONE UINT64_MAX
static uint64_t link_says(const char *connection, enum nfs_link_value value)
{
	char text[512], *at = text;
	struct nfs_mount mount = {.calls = NULL};
	uint64_t number = NONE;

	(void)snprintf(text, sizeof text,
		"device s:/e mounted on /m with fstype nfs statvers=1.1\n\txprt:\t%s\n",
		connection);
	assert_true(mountstats_next(&at, &mount));
	if (mount.link_count && (mount.links[0].have >> value & 1))
		number = mount.links[0].values[value];
	assert_false(mountstats_next(&at, &mount));
	mountstats_fini(&mount);
	return number;
}

static void each_transport_has_its_own_columns(void **memory)
{
	static const char tcp[] = "tcp 911 1 3 0 -7 50 40 5 900 70 16 21 22";

	(void)memory;
	assert_int_equal(link_says(tcp, LINK_CONNECTS), 3);
	assert_int_equal(link_says(tcp, LINK_SENDS), 50);
	assert_int_equal(link_says(tcp, LINK_RECEIVES), 40);
	assert_int_equal(link_says(tcp, LINK_LATE), 5);
	assert_int_equal(link_says(tcp, LINK_DEPTH), 900);
	assert_int_equal(link_says(tcp, LINK_BACKLOG), 70);
	assert_int_equal(link_says(tcp, LINK_SLOTS), 16);
	assert_int_equal(link_says(tcp, LINK_SENDING), 21);
	/* Linux 2.6.32 has no slots; more columns of a kernel to come are left out */
	assert_int_equal(link_says("tcp 9 1 3 0 0 50 40 5 900 70", LINK_SLOTS), NONE);
	assert_int_equal(
		link_says("tcp 9 1 3 0 0 5 4 3 2 1 9 8 7 6 5 4", LINK_SLOTS), 9);
	assert_int_equal(link_says("udp 700 1 50 40 2 9 9 6", LINK_SENDS), 50);
	assert_int_equal(link_says("udp 700 1 50 40 2 9 9 6", LINK_RECEIVES), 40);
	assert_int_equal(link_says("udp 700 1 50 40 2 9 9 6", LINK_CONNECTS), NONE);
	assert_int_equal(link_says("udp 700 1 50 40 2 9 9 6", LINK_SLOTS), 6);
	assert_int_equal(
		link_says("rdma 0 1 2 3 4 50 40 1 2 3 4 5 6 7", LINK_RECEIVES), 40);
	/* RDMA goes on with its own */
	assert_int_equal(
		link_says("rdma 0 1 2 3 4 50 40 1 2 3 4 5 6 7", LINK_SLOTS), NONE);
	assert_int_equal(link_says("local 1 2 3 4 50 40 0 0 0 0 0 0", LINK_SENDS), 50);
	assert_int_equal(link_says("tcp 1 2 3 4 5 50", LINK_SENDS), NONE); /* cut */
	assert_int_equal(link_says("pigeon 1 2 3 4 5 6 7 8", LINK_SENDS), NONE);
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

/* 16 go unanswered from the sixth second on, as in NEW; the answers tell on the way. */
static void in_flight_is_true_while_a_server_hangs(void **memory)
{
	struct fake_bench *bench = *memory;
	const char *name = "[2001:db8::5]:/vol/my db";
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountstats", NEW, 110, 100);
	fake_start(bench, &source_mounts);
	assert_int_equal(fake_value(fake_tick(bench), name, RAW_MOUNT_INFLIGHT), 0);
	fake_file(&bench->root, "proc/self/mountstats", NEW, 100, 94);
	for (int i = 0; i < 9; i++) {
		sink = fake_tick(bench);
		assert_int_equal(fake_value(sink, name, RAW_MOUNT_INFLIGHT), 16);
		assert_int_equal(fake_value(sink, name, RAW_MOUNT_ANSWERS), 194);
		assert_int_equal(
			fake_value(sink, "/srv/my db#1", RAW_CONNECTION_INFLIGHT), 10);
		assert_int_equal(
			fake_value(sink, "/srv/my db#2", RAW_CONNECTION_INFLIGHT), 6);
	}
}

/* Linux, a mount with SENDS, RECEIVES, late answers, and READs: calls, transmissions
 * and their round trips. */
#define ONE                                                                            \
	"device s:/e mounted on /m with fstype nfs4 statvers=1.1\n"                    \
	"\txprt:\ttcp 0 0 1 0 0 %d %d %d 0 0 4 0 0\n\tper-op statistics\n"             \
	"\t READ: %d %d 0 1000 2000 0 %d %d 0\n"

static uint64_t inflight(struct fake_bench *bench, int sends, int receives, int late,
	const int reads[2], int rtt)
{
	fake_file(&bench->root, "proc/self/mountstats", ONE, sends, receives, late,
		reads[0], reads[1], rtt, rtt);
	if (!bench->source)
		fake_start(bench, &source_mounts);
	return fake_value(fake_tick(bench), "s:/e", RAW_MOUNT_INFLIGHT);
}

#define READS(calls, transmissions)                                                    \
	(const int[])                                                                  \
	{                                                                              \
		calls, transmissions                                                   \
	}

static void what_is_never_answered_does_not_stay_in_flight(void **memory)
{
	struct fake_bench *bench = *memory;

	assert_int_equal(inflight(bench, 110, 100, 0, READS(100, 100), 500), 10);
	/* the connection broke: ten were sent again, and answered then */
	assert_int_equal(inflight(bench, 120, 110, 0, READS(110, 120), 500), 0);
	assert_int_equal(inflight(bench, 124, 110, 0, READS(110, 120), 500), 4);
	/* two were given up; their answers came later, nobody waited */
	assert_int_equal(inflight(bench, 124, 112, 2, READS(112, 122), 500), 0);
}

/* A program was killed while it waited, and its answer never came: one stays in the
 * difference for ever. No round trip has the length of the silence. */
static void a_silence_that_nobody_waited_through_was_none(void **memory)
{
	struct fake_bench *bench = *memory;

	assert_int_equal(inflight(bench, 101, 100, 0, READS(100, 100), 500), 1);
	for (int i = 0; i < 8; i++)
		(void)inflight(bench, 101, 100, 0, READS(100, 100), 500);
	assert_int_equal(inflight(bench, 121, 120, 0, READS(120, 120), 540), 0);
	assert_int_equal(inflight(bench, 125, 121, 0, READS(121, 121), 540), 3);
}

static void a_silence_that_was_waited_through_changes_nothing(void **memory)
{
	struct fake_bench *bench = *memory;

	(void)inflight(bench, 100, 100, 0, READS(100, 100), 500);
	for (int i = 0; i < 9; i++)
		assert_int_equal(
			inflight(bench, 116, 100, 0, READS(100, 100), 500), 16);
	/* 16 waited some 9 s each; the next 16 are on the way */
	assert_int_equal(
		inflight(bench, 132, 116, 0, READS(116, 116), 500 + 16 * 9000), 16);
	assert_int_equal(
		inflight(bench, 148, 132, 0, READS(132, 132), 500 + 16 * 9001), 16);
}

#define BUSY                                                                           \
	"device s:/e mounted on /m with fstype nfs statvers=1.1\n"                     \
	"\txprt:\ttcp 0 0 1 0 0 9 9 0 0 0\n\tper-op statistics\n"                      \
	"\t NULL: 1 1 0 1 1 0 0 0 0\n\t A: %d 0 0 1 1 0 0 0 0\n"                       \
	"\t B: %d 0 0 1 1 0 0 0 0\n\t C: %d 0 0 1 1 0 0 0 0\n"                         \
	"\t D: %d 0 0 1 1 0 0 0 0\n\t E: %d 0 0 1 1 0 0 0 0\n"                         \
	"\t F: %d 0 0 1 1 0 0 0 0\n\t G: %d 0 0 1 1 0 0 0 0\n"                         \
	"\t READ: 70 71 1 40 50 6 7 8 9\n\t WRITE: 0 0 0 0 0 0 0 0 0\n"

static void the_busiest_kinds_have_rows_and_the_rest_one(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;
	int again = RAW_CALL_RETRANS;

	fake_file(&bench->root, "proc/self/mountstats", BUSY, 5, 5, 5, 5, 5, 5, 5);
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	assert_int_equal(sink->subject_count, 1); /* nothing moved yet */
	fake_file(&bench->root, "proc/self/mountstats", BUSY, 6, 25, 5, 5, 5, 5, 5);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "/m READ", RAW_CALL_OPS), 70);
	assert_int_equal(fake_value(sink, "/m READ", (unsigned)again), 1);
	assert_int_equal(fake_value(sink, "/m READ", RAW_CALL_TIMEOUTS), 1);
	assert_int_equal(fake_value(sink, "/m READ", RAW_CALL_TX_BYTES), 40);
	assert_int_equal(fake_value(sink, "/m READ", RAW_CALL_RX_BYTES), 50);
	assert_int_equal(fake_value(sink, "/m READ", RAW_CALL_QUEUE_US), 6000);
	assert_int_equal(fake_value(sink, "/m READ", RAW_CALL_RTT_US), 7000);
	assert_int_equal(fake_value(sink, "/m READ", RAW_CALL_EXECUTE_US), 8000);
	assert_int_equal(fake_value(sink, "/m READ", RAW_CALL_ERRORS), 9);
	assert_int_equal(fake_value(sink, "/m WRITE", RAW_CALL_OPS), 0);
	assert_int_equal(fake_value(sink, "/m B", RAW_CALL_OPS), 25);
	/* 107 in all, without those of its own rows: and it never goes back */
	assert_int_equal(fake_value(sink, "/m others", RAW_CALL_OPS), 1 + 25 + 31 + 70);
	fake_file(&bench->root, "proc/self/mountstats", BUSY, 6, 25, 8, 9, 7, 6, 10);
	sink = fake_tick(bench);
	/* eight rows are taken: F moved least and stays with the rest */
	assert_int_equal(fake_value(sink, "/m G", RAW_CALL_OPS), 10);
	assert_int_equal(fake_why(sink, "/m F", RAW_CALL_OPS, NULL), WHY_ABSENT);
	assert_true(fake_value(sink, "/m others", RAW_CALL_OPS) >= 127);
	fake_file(&bench->root, "proc/self/mountstats", BUSY, 6, 25, 8, 9, 7, 106, 10);
	assert_int_equal(fake_value(fake_tick(bench), "/m others", RAW_CALL_OPS),
		fake_value(sink, "/m others", RAW_CALL_OPS) + 100);
}

/* What Linux 6.1 wrote: NFS 3, and NFS 4.2 over four connections. */
static void a_recorded_file_is_read_whole(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;
	const char *three = "10.77.0.2:/dev/shm/export";

	fake_recorded(&bench->root, "proc/self/mountstats", "linux-6.1/mountstats");
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	assert_int_equal(sink->subject_count, 2);
	assert_int_equal(fake_value(sink, three, RAW_MOUNT_READ_OPS), 5);
	assert_int_equal(fake_value(sink, three, RAW_MOUNT_WRITE_OPS), 4);
	assert_int_equal(fake_value(sink, three, RAW_MOUNT_READ_BYTES), 163840);
	assert_int_equal(fake_value(sink, three, RAW_MOUNT_INFLIGHT), 0);
	assert_int_equal(fake_value(sink, "10.77.0.2:/", RAW_MOUNT_CONNECTIONS), 4);
	assert_int_equal(fake_value(sink, "10.77.0.2:/", RAW_MOUNT_ANSWERS), 100);
	assert_int_equal(fake_value(sink, "10.77.0.2:/", RAW_MOUNT_ERRORS), 13);
	assert_int_equal(
		fake_value(sink, "10.77.0.2:/", RAW_MOUNT_WRITE_BYTES), 17170432);
}

static void one_mount_over_another_is_told_once(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountstats", "%s%s", old, old);
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	assert_int_equal(sink->subject_count, 1);
	assert_int_equal(sink->reading_count, 18);
	fake_file(&bench->root, "proc/self/mountstats", "%s", OTHERS);
	assert_int_equal(fake_tick(bench)->reading_count, 0); /* unmounted */
}

/* ---- mounts of one server ---- */

/* Two exports of one filer: the same connections under each, the later line a request
 * ahead. AGAIN: what each of them sent a second time; STATE: calls for the server. */
#define SHARED                                                                         \
	"device filer:/a mounted on /a with fstype nfs4 statvers=1.1\n"                \
	"\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"                            \
	"\txprt:\ttcp 0 0 1 0 0 %d %d 0 0 0 4 0 0\n\tper-op statistics\n"              \
	"\t READ: 90 %d 0 1000 2000 0 500 500 0\n"                                     \
	"\t SEQUENCE: 7 9 0 10 20 0 5 5 0\n"                                           \
	"device filer:/b mounted on /b with fstype nfs4 statvers=1.1\n"                \
	"\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"                            \
	"\txprt:\ttcp 0 0 1 0 0 %d %d 0 0 0 4 0 0\n\tper-op statistics\n"              \
	"\t READ: 3 3 0 1000 2000 0 50 50 0\n"                                         \
	"\t SEQUENCE: 7 9 0 10 20 0 5 5 0\n"

#define GROUP "filer NFS4, shared"

static void mounts_of_one_server_share_what_is_in_flight(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountstats", SHARED, 120, 104, 90, 121, 104);
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	/* 17 without an answer, of which the two of SEQUENCE that were sent again
	 * count once: they are printed under both */
	assert_int_equal(fake_value(sink, GROUP, RAW_MOUNT_INFLIGHT), 15);
	assert_int_equal(fake_value(sink, GROUP, RAW_MOUNT_ANSWERS), 104);
	assert_int_equal(fake_value(sink, GROUP, RAW_MOUNT_CONNECTIONS), 1);
	assert_int_equal(fake_value(sink, GROUP "#1", RAW_CONNECTION_INFLIGHT), 15);
	assert_string_equal(
		fake_subject(sink, GROUP)->detail, "connections shared by /a, /b");
	/* nobody knows whose they are: neither has a count, nor a stall from it */
	assert_int_equal(
		fake_why(sink, "filer:/a", RAW_MOUNT_INFLIGHT, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "filer:/b", RAW_MOUNT_INFLIGHT, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "filer:/b", RAW_MOUNT_ANSWERS, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, "/b#1", RAW_CONNECTION_SENDS, NULL), WHY_ABSENT);
	assert_int_equal(fake_value(sink, "filer:/b", RAW_MOUNT_READ_OPS), 3);
	/* what one of them sends again is never received twice */
	fake_file(&bench->root, "proc/self/mountstats", SHARED, 120, 104, 95, 121, 104);
	assert_int_equal(fake_value(fake_tick(bench), GROUP, RAW_MOUNT_INFLIGHT), 10);
}

/* The same with the second export mounted by the address of the server; SECOND is what
 * the list of mounts says of that. */
static const struct sink *mounted_by_address(
	struct fake_bench *bench, const char *second)
{
	char text[2 * sizeof SHARED];
	char *other;

	(void)snprintf(text, sizeof text, SHARED, 120, 104, 90, 121, 104);
	other = strstr(text, "filer:/b");
	(void)memmove(other + strlen("10.1.0.20:/b"), other + strlen("filer:/b"),
		strlen(other + strlen("filer:/b")) + 1);
	(void)memcpy(other, "10.1.0.20:/b", strlen("10.1.0.20:/b"));
	fake_file(&bench->root, "proc/self/mountstats", "%s", text);
	fake_file(&bench->root, "proc/self/mountinfo",
		"22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n"
		"40 22 0:45 / /a rw - nfs4 filer:/a rw,vers=4.1,mountaddr=10.1.0.99,"
		"clientaddr=10.1.0.9,addr=10.1.0.20\n"
		"41 22 0:46 / /b rw shared:3 - nfs4 10.1.0.20:/b rw,vers=4.1,%s\n",
		second);
	fake_start(bench, &source_mounts);
	return fake_tick(bench);
}

static void a_server_under_two_names_is_one(void **memory)
{
	const struct sink *sink = mounted_by_address(*memory, "addr=10.1.0.20");

	assert_int_equal(fake_value(sink, GROUP, RAW_MOUNT_INFLIGHT), 15);
	assert_string_equal(
		fake_subject(sink, GROUP)->detail, "connections shared by /a, /b");
	assert_int_equal(fake_why(sink, "10.1.0.20:/b", RAW_MOUNT_INFLIGHT, NULL),
		WHY_UNSUPPORTED);
}

/* Counters of two servers may agree by chance. */
static void another_address_is_another_server(void **memory)
{
	const struct sink *sink =
		mounted_by_address(*memory, "mountaddr=10.1.0.20,addr=10.1.0.21");

	assert_int_equal(fake_value(sink, "filer:/a", RAW_MOUNT_INFLIGHT), 14);
	assert_int_equal(fake_value(sink, "10.1.0.20:/b", RAW_MOUNT_INFLIGHT), 15);
	assert_int_equal(fake_why(sink, GROUP, RAW_MOUNT_INFLIGHT, NULL), WHY_ABSENT);
}

static void connections_of_their_own_are_not_taken_for_shared_ones(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	/* the second has received less: it is no later state of the first */
	fake_file(&bench->root, "proc/self/mountstats", SHARED, 120, 104, 90, 121, 103);
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	assert_int_equal(sink->subject_count, 4); /* and a connection of each */
	assert_int_equal(fake_value(sink, "filer:/a", RAW_MOUNT_INFLIGHT), 14);
	assert_int_equal(fake_value(sink, "filer:/b", RAW_MOUNT_INFLIGHT), 16);
	fake_recorded(&bench->root, "proc/self/mountstats", "linux-6.1/mountstats");
	sink = fake_tick(bench); /* one server, two versions */
	assert_int_equal(fake_value(sink, "10.77.0.2:/", RAW_MOUNT_CONNECTIONS), 4);
}

static void a_mount_that_is_left_alone_has_its_connections_again(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountstats", SHARED, 120, 104, 90, 121, 104);
	fake_start(bench, &source_mounts);
	(void)fake_tick(bench);
	fake_file(&bench->root, "proc/self/mountstats", ONE, 30, 22, 0, 22, 22, 0, 0);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "s:/e", RAW_MOUNT_INFLIGHT), 8);
	assert_int_equal(fake_why(sink, GROUP, RAW_MOUNT_INFLIGHT, NULL), WHY_ABSENT);
}

#define BENCH(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH(columns_of_an_old_kernel_are_read),
		BENCH(connections_of_a_new_kernel_are_summed),
		cmocka_unit_test(each_transport_has_its_own_columns),
		BENCH(what_a_mount_does_not_say_is_not_zero),
		BENCH(in_flight_is_true_while_a_server_hangs),
		BENCH(what_is_never_answered_does_not_stay_in_flight),
		BENCH(a_silence_that_nobody_waited_through_was_none),
		BENCH(a_silence_that_was_waited_through_changes_nothing),
		BENCH(the_busiest_kinds_have_rows_and_the_rest_one),
		BENCH(a_recorded_file_is_read_whole),
		BENCH(one_mount_over_another_is_told_once),
		BENCH(mounts_of_one_server_share_what_is_in_flight),
		BENCH(a_server_under_two_names_is_one),
		BENCH(another_address_is_another_server),
		BENCH(connections_of_their_own_are_not_taken_for_shared_ones),
		BENCH(a_mount_that_is_left_alone_has_its_connections_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
