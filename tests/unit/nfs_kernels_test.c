/*
 * /proc/self/mountstats as kernels from 3.10 to 6.12 write it: columns that came, lines
 * and options that came, transports with figures of their own. Each text is written by
 * hand from the layout of that kernel; what is expected stands in its columns.
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

#define EXPORT "filer:/vol/mail"

/* RHEL 7: columns of a connection up to the pending ones, eight of a procedure; the
 * rest of the namespace has no devices, or lines without one. */
static const char linux_3_10[] =
	"device rootfs mounted on / with fstype rootfs\n"
	"no device mounted on /proc with fstype proc\n"
	"device " EXPORT " mounted on /var/mail with fstype nfs4 statvers=1.1\n"
	"\topts:\trw,vers=4.0,rsize=262144,wsize=262144,namlen=255,acregmin=3,"
	"acregmax=60,acdirmin=30,acdirmax=60,hard,proto=tcp,port=0,timeo=600,"
	"retrans=2,sec=sys,clientaddr=10.1.0.9,local_lock=none\n"
	"\tage:\t86400\n\tcaps:\tcaps=0x7fff,wtmult=512,dtsize=32768,bsize=0,"
	"namlen=255\n"
	"\tnfsv4:\tbm0=0xfdffbfff,bm1=0xf9be3e,bm2=0x0,acl=0x3,pnfs=not configured\n"
	"\tsec:\tflavor=1,pseudoflavor=1\n"
	"\tevents:\t1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 "
	"26 "
	"27 \n"
	"\tbytes:\t11 12 13 14 4096 8192 15 16 \n"
	"\tRPC iostats version: 1.0  p/v: 100003/4 (nfs)\n"
	"\txprt:\ttcp 0 0 1 0 0 700 690 0 900 0 12 640 30\n"
	"\tper-op statistics\n\t        NULL: 0 0 0 0 0 0 0 0\n"
	"\t        READ: 300 300 0 42000 4200000 30 900 1000\n"
	"\t       WRITE: 200 201 0 9000000 32000 5 400 500\n"
	"\t      COMMIT: 50 50 1 6000 5600 0 60 61\n"
	"\nno device mounted on /sys with fstype sysfs\n";

/* 4.18, RDMA: figures of its own behind the backlog; a cache; still no errors. */
static const char linux_4_18[] =
	"device " EXPORT " mounted on /var/mail with fstype nfs statvers=1.1\n"
	"\topts:\trw,vers=3,rsize=1048576,wsize=1048576,namlen=255,hard,proto=rdma,"
	"port=20049,timeo=600,retrans=2,sec=sys,mountaddr=10.1.0.20,mountvers=3,"
	"mountproto=tcp,fsc,local_lock=none\n"
	"\tage:\t60\n\tcaps:\tcaps=0x3fc7,wtmult=512,dtsize=1048576,bsize=0,namlen="
	"255\n"
	"\tsec:\tflavor=1,pseudoflavor=1\n"
	"\tevents:\t0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
	"\tbytes:\t0 0 0 0 1048576 2097152 256 512\n"
	"\tfsc:\t0 0 0 0 0\n"
	"\tRPC iostats version: 1.0  p/v: 100003/3 (nfs)\n"
	"\txprt:\trdma 0 0 2 0 9 55 50 0 70 0 31 32 33 34 35 36 37 38 39 40 41 42 43 "
	"44 "
	"45 46\n"
	"\tper-op statistics\n\t        NULL: 1 1 0 40 24 0 0 0\n"
	"\t        READ: 30 30 0 4000 1049000 1 90 100\n"
	"\t       WRITE: 20 20 0 2100000 3000 2 80 90\n";

/* 5.10: nconnect, errors of a procedure, a lease and pNFS. */
static const char linux_5_10[] =
	"device " EXPORT " mounted on /var/mail with fstype nfs4 statvers=1.1\n"
	"\topts:\trw,vers=4.1,rsize=1048576,wsize=1048576,namlen=255,hard,proto=tcp,"
	"nconnect=3,timeo=600,retrans=2,sec=krb5p,clientaddr=10.1.0.9,"
	"local_lock=none\n"
	"\tage:\t60\n\timpl_id:\tname='a server',domain='example.org',date='0,0'\n"
	"\tcaps:\tcaps=0x3fbfffff,wtmult=512,dtsize=1048576,bsize=0,namlen=255\n"
	"\tnfsv4:\tbm0=0xf8f3b77e,bm1=0x40b0be3a,bm2=0x40000,acl=0x3,sessions,"
	"pnfs=LAYOUT_NFSV4_1_FILES,lease_time=90,lease_expired=0\n"
	"\tsec:\tflavor=6,pseudoflavor=390005\n"
	"\tevents:\t0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \n"
	"\tbytes:\t0 0 0 0 1000 2000 1 2 \n"
	"\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
	"\txprt:\ttcp 875 0 1 0 1 100 96 0 300 0 8 10 20\n"
	"\txprt:\ttcp 876 0 1 0 1 90 88 0 300 0 8 10 20\n"
	"\txprt:\ttcp 0 0 1 0 -4 80 80 0 300 0 8 10 20\n"
	"\tper-op statistics\n\t        NULL: 3 3 0 132 72 0 1 1 0\n"
	"\t        READ: 100 100 0 20000 1000000 3 200 300 2\n"
	"\t       WRITE: 90 90 0 1000000 14000 9 180 260 0\n"
	"\t   LAYOUTGET: 9 9 0 2000 1100 0 8 9 1\n";

/* 6.12: TLS, trunking, and a column and a line that are not there yet. */
static const char linux_6_12[] =
	"device " EXPORT " mounted on /var/mail with fstype nfs4 statvers=1.1\n"
	"\topts:\trw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255,softerr,"
	"fatal_neterrors=none,proto=tcp,nconnect=1,max_connect=4,trunkdiscovery,"
	"timeo=600,retrans=2,sec=sys,xprtsec=tls,clientaddr=10.1.0.9,local_lock=none\n"
	"\tage:\t60\n\tcaps:\tcaps=0x803ffffe,wtmult=512,dtsize=1048576,bsize=0,"
	"namlen=255\n"
	"\tnfsv4:\tbm0=0xfdffbfff,bm1=0xf9be3e,bm2=0x68800,acl=0x3,sessions,"
	"pnfs=not configured,lease_time=90,lease_expired=0\n"
	"\tsec:\tflavor=1,pseudoflavor=1\n"
	"\tevents:\t0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
	"\tbytes:\t0 0 0 0 5000 6000 1 2 3\n"
	"\tnew:\t1 2 3\n"
	"\tRPC iostats version: 1.2  p/v: 100003/4 (nfs)\n"
	"\txprt:\ttcp 875 0 1 0 1 40 33 0 300 0 8 10 20 77 78\n"
	"\tper-op statistics\n"
	"\t        READ: 16 16 0 3000 1050000 8 32 48 1 99\n"
	"\t       WRITE: 17 18 0 1050000 3000 8 34 50 2 99\n"
	"\tREAD_PLUS: 3 3 0 600 3000 0 6 9 0 99\n";

/* What is expected of one file. */
struct expected {
	const char *text, *detail;
	uint64_t reads, read_rtt, writes, others, read_bytes, write_bytes;
	uint64_t retransmissions, inflight, connections, connects;
	int64_t errors; /* -1: not told */
};

static const struct expected files[] = {
	{linux_3_10,
		"vers=4.0,rsize=262144,wsize=262144,hard,proto=tcp,timeo=600,retrans=2,"
		"sec=sys",
		300, 900, 200, 50, 4096, 8192, 1, 9, 1, 1, -1},
	{linux_4_18,
		"vers=3,rsize=1048576,wsize=1048576,hard,proto=rdma,timeo=600,retrans="
		"2,sec=sys",
		30, 90, 20, 1, 1048576, 2097152, 0, 5, 1, 2, -1},
	{linux_5_10,
		"vers=4.1,rsize=1048576,wsize=1048576,hard,proto=tcp,nconnect=3,timeo="
		"600,retrans=2,sec=krb5p",
		100, 200, 90, 12, 1000, 2000, 0, 6, 3, 3, 3},
	{linux_6_12,
		"vers=4.2,rsize=1048576,wsize=1048576,softerr,proto=tcp,nconnect=1,"
		"timeo=600,retrans=2,sec=sys",
		16, 32, 17, 3, 5000, 6000, 1, 6, 1, 1, 3},
};

static void check(struct fake_bench *bench, const struct expected *file)
{
	const struct sink *sink;

	fake_file(&bench->root, "proc/self/mountstats", "%s", file->text);
	fake_start(bench, &source_mounts);
	sink = fake_tick(bench);
	assert_string_equal(fake_subject(sink, EXPORT)->label, "/var/mail");
	assert_string_equal(fake_subject(sink, EXPORT)->detail, file->detail);
	assert_int_equal(fake_value(sink, EXPORT, RAW_MOUNT_READ_OPS), file->reads);
	assert_int_equal(
		fake_value(sink, EXPORT, RAW_MOUNT_READ_RTT_MS), file->read_rtt);
	assert_int_equal(fake_value(sink, EXPORT, RAW_MOUNT_WRITE_OPS), file->writes);
	assert_int_equal(fake_value(sink, EXPORT, RAW_MOUNT_OTHER_OPS), file->others);
	assert_int_equal(
		fake_value(sink, EXPORT, RAW_MOUNT_READ_BYTES), file->read_bytes);
	assert_int_equal(
		fake_value(sink, EXPORT, RAW_MOUNT_WRITE_BYTES), file->write_bytes);
	assert_int_equal(
		fake_value(sink, EXPORT, RAW_MOUNT_RETRANS), file->retransmissions);
	assert_int_equal(fake_value(sink, EXPORT, RAW_MOUNT_INFLIGHT), file->inflight);
	assert_int_equal(
		fake_value(sink, EXPORT, RAW_MOUNT_CONNECTIONS), file->connections);
	assert_int_equal(fake_value(sink, EXPORT, RAW_MOUNT_CONNECTS), file->connects);
	if (file->errors < 0)
		assert_int_equal(fake_why(sink, EXPORT, RAW_MOUNT_ERRORS, NULL),
			WHY_UNSUPPORTED);
	else
		assert_int_equal(
			fake_value(sink, EXPORT, RAW_MOUNT_ERRORS), file->errors);
}

static void linux_3_10_has_no_errors_and_lines_without_a_device(void **memory)
{
	check(*memory, &files[0]);
}

static void rdma_of_linux_4_18_goes_on_with_its_own_figures(void **memory)
{
	check(*memory, &files[1]);
}

static void linux_5_10_has_a_line_for_each_connection(void **memory)
{
	check(*memory, &files[2]);
}

static void lines_and_columns_to_come_do_no_harm(void **memory)
{
	check(*memory, &files[3]);
}

/* Whatever is cut off, no mount appears that is not there. */
static void a_file_that_is_cut_anywhere_has_one_mount_at_most(void **memory)
{
	char text[4096];

	(void)memory;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		for (size_t length = 0; length < strlen(files[i].text); length++) {
			struct nfs_mount mount = {.calls = NULL};
			char *at = text;
			unsigned found = 0;

			(void)snprintf(
				text, sizeof text, "%.*s", (int)length, files[i].text);
			while (mountstats_next(&at, &mount))
				found++;
			assert_in_range(found, 0, 1);
			mountstats_fini(&mount);
		}
}

#define BENCH(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH(linux_3_10_has_no_errors_and_lines_without_a_device),
		BENCH(rdma_of_linux_4_18_goes_on_with_its_own_figures),
		BENCH(linux_5_10_has_a_line_for_each_connection),
		BENCH(lines_and_columns_to_come_do_no_harm),
		BENCH(a_file_that_is_cut_anywhere_has_one_mount_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
