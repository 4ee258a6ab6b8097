/*
 * SMB mounts out of /proc/fs/cifs, as kernels of several ages write it for several
 * dialects: figures by their words, what is in effect by the server's lines.
 */
#include "config.h"

#include "fake_root.h"
#include "source/smb.h"
#include "source/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Linux 6: SMB 3.1.1 with two shares, the second lost. */
static const char stats_new[] =
	"Resources in use\nCIFS Session: 1\nShare (unique mount targets): 4\n"
	"SMB Request/Response Buffer: 1 Pool size: 5\n"
	"SMB Small Req/Resp Buffer: 1 Pool size: 30\n"
	"Total Large 10 Small 490 Allocations\nOperations (MIDs): 0\n\n"
	"0 session 0 share reconnects\n"
	"Total vfs operations: 16 maximum at one time: 2\n\n"
	"Max requests in flight: 3\n"
	"1) \\\\filer\\mail\nSMBs: 900\n"
	"Bytes read: 4096000  Bytes written: 81920\n"
	"Open files: 0 total (local), 1 open on server\n"
	"TreeConnects: 1 total 0 failed\nTreeDisconnects: 0 total 0 failed\n"
	"Creates: 20 total 3 failed\nCloses: 17 total 0 failed\n"
	"Flushes: 0 total 0 failed\nReads: 500 total 1 failed\n"
	"Writes: 10 total 0 failed\nLocks: 0 total 0 failed\n"
	"IOCTLs: 1 total 1 failed\nQueryDirectories: 2 total 0 failed\n"
	"ChangeNotifies: 0 total 0 failed\nQueryInfos: 90 total 0 failed\n"
	"SetInfos: 0 total 0 failed\nOplockBreaks: 0 sent 0 failed\n"
	"2) \\\\filer\\my files\tDISCONNECTED \nSMBs: 4\n"
	"Bytes read: 0  Bytes written: 0\nReads: 0 total 0 failed\n"
	"Writes: 0 total 0 failed\n"
	"3) \\\\filer\\IPC$\nSMBs: 7\nBytes read: 1  Bytes written: 1\n";

static const char debug_new[] =
	"Display Internal CIFS Data Structures for Debugging\n"
	"---------------------------------------------------\n"
	"CIFS Version 2.40\nFeatures: "
	"DFS,STATS2,DEBUG,ALLOW_INSECURE_LEGACY,CIFS_POSIX\n"
	"CIFSMaxBufSize: 16384\nActive VFS Requests: 0\n\nServers: \n"
	"1) ConnectionId: 0x1 Hostname: filer \n"
	"Number of credits: 389,1,1 Dialect 0x311\n"
	"TCP status: 1 Instance: 1\n"
	"Local Users To Server: 1 SecMode: 0x1 Req On Wire: 7 Net namespace: "
	"4026531840 \n"
	"In Send: 0 In MaxReq Wait: 0\n\n"
	"\tSessions: \n"
	"\t1) Address: 10.1.0.20 Uses: 2 Capability: 0x300067\tSession Status: 1 \n"
	"\tSecurity type: RawNTLMSSP  SessionId: 0x8c%s\n"
	"\tUser: 0 Cred User: 0\n\n"
	"\tShares: \n"
	"\t0) IPC: \\\\filer\\IPC$ Mounts: 1 DevInfo: 0x0 Attributes: 0x0\n"
	"\tPathComponentMax: 0 Status: 1 type: 0 Serial Number: 0x0\n"
	"\tShare Capabilities: None\tShare Flags: 0x30\n\n"
	"\t1) \\\\filer\\mail Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK Serial Number: 0x7fc3\n"
	"\t2) \\\\filer\\my files Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
	"\tMIDs: \n\nServer interfaces: 1\n";

static const char mountinfo[] =
	"22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
	"40 22 0:45 / /var/mail rw,relatime shared:9 - cifs //filer/mail "
	"rw,vers=3.1.1\n"
	"41 22 0:46 / /srv/my\\040files rw - smb3 //filer/my\\040files rw,vers=3.1.1\n";

#define MAIL  "\\\\filer\\mail"
#define FILES "\\\\filer\\my files"

static void set(struct fake_bench *bench, const char *stats, const char *security)
{
	char debug[sizeof debug_new + 64];
	const char *hole = strstr(debug_new, "%s");

	memcpy(debug, debug_new, (size_t)(hole - debug_new));
	debug[hole - debug_new] = 0;
	fake_file(&bench->root, "proc/fs/cifs/DebugData", "%s%s%s", debug, security,
		hole + 2);
	fake_file(&bench->root, "proc/fs/cifs/Stats", "%s", stats);
	fake_file(&bench->root, "proc/self/mountinfo", "%s", mountinfo);
}

static void shares_of_a_new_kernel_are_read(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	set(bench, stats_new, " signed");
	fake_start(bench, &source_shares);
	sink = fake_tick(bench);
	/* two shares, a connection, and what they share; no IPC$ */
	assert_int_equal(sink->subject_count, 4);
	assert_int_equal(fake_value(sink, "filer #1", RAW_CONNECTION_CREDITS), 389);
	assert_string_equal(fake_subject(sink, MAIL)->label, "/var/mail");
	assert_string_equal(fake_subject(sink, FILES)->label, "/srv/my files");
	assert_string_equal(
		fake_subject(sink, MAIL)->detail, "SMB 3.1.1, signed, not encrypted");
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_READ_OPS), 500);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_WRITE_OPS), 10);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_OTHER_OPS), 390);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_READ_BYTES), 4096000);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_WRITE_BYTES), 81920);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_ERRORS), 5);
	/* seven requests wait on the server's connection: whose, nobody knows */
	assert_int_equal(fake_value(sink, "filer SMB", RAW_MOUNT_INFLIGHT), 7);
	assert_string_equal(fake_subject(sink, "filer SMB")->detail,
		"connections shared by " MAIL ", " FILES);
	assert_int_equal(
		fake_why(sink, MAIL, RAW_MOUNT_INFLIGHT, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, FILES, RAW_MOUNT_INFLIGHT, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_SIGNED), 1);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_ENCRYPTED), 0);
	assert_int_equal(
		fake_why(sink, MAIL, RAW_MOUNT_READ_RTT_MS, NULL), WHY_UNSUPPORTED);
	assert_true(fake_event(sink, "/srv/my files: disconnected"));
}

static void another_signing_state_is_an_event(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	set(bench, stats_new, " signed");
	fake_start(bench, &source_shares);
	(void)fake_tick(bench);
	set(bench, stats_new, " encrypted(gcm)");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_SIGNED), 0);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_ENCRYPTED), 1);
	assert_true(
		fake_event(sink, "/var/mail: now SMB 3.1.1, not signed, encrypted"));
	assert_int_equal(fake_tick(bench)->event_count, 0);
}

/* Linux 4.4: "sent", no count of bytes, no word on signing. */
static void older_kernels_use_other_words(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/fs/cifs/Stats",
		"1) \\\\filer\\mail\nSMBs: 60\nNegotiates: 0 sent 0 failed\n"
		"Creates: 20 sent 2 failed\nReads: 33 sent 1 failed\n"
		"Writes: -5 sent 0 failed\n");
	fake_file(&bench->root, "proc/fs/cifs/DebugData",
		"Servers:\n1) entry for 10.1.0.20 not fully displayed\n"
		"\tTCP status: 1\n\tLocal Users To Server: 1 SecMode: 0x3 Req On "
		"Wire: "
		"0\n\tShares:\n\t1) \\\\filer\\mail Mounts: 1 Type: NTFS DevInfo: "
		"0x20\n");
	fake_start(bench, &source_shares);
	sink = fake_tick(bench);
	assert_string_equal(fake_subject(sink, MAIL)->label, "");
	assert_string_equal(fake_subject(sink, MAIL)->detail,
		"SMB, signing and encryption not told by this kernel");
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_READ_OPS), 33);
	assert_int_equal(
		fake_value(sink, MAIL, RAW_MOUNT_WRITE_OPS), UINT32_MAX - 4ULL);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_ERRORS), 3);
	assert_int_equal(
		fake_why(sink, MAIL, RAW_MOUNT_READ_BYTES, NULL), WHY_UNSUPPORTED);
}

static void smb1_has_its_bytes_beside_the_reads(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/fs/cifs/Stats",
		"1) \\\\old\\data\nSMBs: 9 Oplocks breaks: 0\n"
		"Reads:  5 Bytes: 4096\nWrites: 2 Bytes: 100\nFlushes: 0\n");
	fake_start(bench, &source_shares);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "\\\\old\\data", RAW_MOUNT_READ_OPS), 5);
	assert_int_equal(fake_value(sink, "\\\\old\\data", RAW_MOUNT_READ_BYTES), 4096);
	assert_int_equal(fake_value(sink, "\\\\old\\data", RAW_MOUNT_WRITE_BYTES), 100);
	/* without DebugData nobody knows, which is not "not signed" */
	assert_string_equal(fake_subject(sink, "\\\\old\\data")->detail, "");
	assert_int_equal(
		fake_why(sink, "\\\\old\\data", RAW_MOUNT_SIGNED, NULL), WHY_ABSENT);
}

/* ---- files that Linux 6.1 wrote, of a client of Samba 4.17 ---- */

#define TWO  "\\\\10.77.0.2\\vol two"
#define REAL "\\\\10.77.0.2\\share"

static const struct sink *recorded(
	struct fake_bench *bench, const char *debug, const char *stats)
{
	fake_recorded(&bench->root, "proc/fs/cifs/DebugData", debug);
	fake_recorded(&bench->root, "proc/fs/cifs/Stats", stats);
	fake_start(bench, &source_shares);
	return fake_tick(bench);
}

static void channels_of_a_server_are_added_up(void **memory)
{
	const struct sink *sink =
		recorded(*memory, "linux-6.1/cifs-debug-3.1.1-channels",
			"linux-6.1/cifs-stats-3.1.1-channels");

	assert_string_equal(fake_subject(sink, REAL)->detail,
		"SMB 3.1.1, not signed, not encrypted");
	assert_int_equal(fake_value(sink, REAL, RAW_MOUNT_CONNECTIONS), 2);
	assert_int_equal(fake_value(sink, REAL, RAW_MOUNT_CONNECTS), 2);
	assert_int_equal(fake_value(sink, "10.77.0.2 #1", RAW_CONNECTION_CREDITS), 983);
	assert_int_equal(fake_value(sink, "10.77.0.2 #2", RAW_CONNECTION_CREDITS), 766);
	assert_int_equal(fake_value(sink, REAL, RAW_MOUNT_READ_OPS), 72);
	assert_int_equal(fake_value(sink, REAL, RAW_MOUNT_WRITE_BYTES), 2392064);
	/* 1 + 2 + 2 + 2 + 39 + 34 + 2 and 1 + 2 + 2 + 5 + 5 + 33 + 39 + 2 + 5 commands
	 */
	assert_int_equal(fake_value(sink, REAL, RAW_MOUNT_ANSWERS), 82 + 94);
}

static void a_share_may_be_encrypted_beside_one_that_is_not(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	fake_file(&bench->root, "proc/fs/cifs/Stats",
		"1) \\\\10.77.0.2\\vol two\nSMBs: 9\nReads: 5 total 0 failed\n"
		"2) " REAL "\nSMBs: 8\nReads: 3 total 0 failed\n");
	fake_recorded(&bench->root, "proc/fs/cifs/DebugData",
		"linux-6.1/cifs-debug-3.1.1-share-encrypted");
	fake_start(bench, &source_shares);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, TWO, RAW_MOUNT_ENCRYPTED), 1);
	assert_string_equal(
		fake_subject(sink, TWO)->detail, "SMB 3.1.1, not signed, encrypted");
	assert_int_equal(fake_value(sink, REAL, RAW_MOUNT_ENCRYPTED), 0);
	assert_string_equal(fake_subject(sink, REAL)->detail,
		"SMB 3.1.1, not signed, not encrypted");
	assert_int_equal(fake_value(sink, "10.77.0.2 SMB", RAW_MOUNT_INFLIGHT), 1);
}

static void signing_is_what_is_in_effect(void **memory)
{
	const struct sink *sink = recorded(*memory, "linux-6.1/cifs-debug-3.1.1-signed",
		"linux-6.1/cifs-stats-3.1.1-channels");

	assert_string_equal(
		fake_subject(sink, REAL)->detail, "SMB 3.1.1, signed, not encrypted");
}

static void an_older_dialect_is_told(void **memory)
{
	const struct sink *sink = recorded(*memory, "linux-6.1/cifs-debug-2.1",
		"linux-6.1/cifs-stats-3.1.1-channels");

	assert_string_equal(
		fake_subject(sink, REAL)->detail, "SMB 2.1, not signed, not encrypted");
}

#define COMMANDS                                                                       \
	"Max requests in flight: 3\nTotal time spent processing by command. Time "     \
	"units are jiffies (250 per second)\n  SMB3 CMD\tNumber\tTotal Time\n"         \
	"  8\t\t%d\t%d\t\t0\t17\n  9\t\t4\t8\t\t0\t15\n\n"

/* The kernel counts in ticks of 4 ms; it tells no bytes of a command. */
static void commands_have_response_times(void **memory)
{
	struct fake_bench *bench = *memory;
	const struct sink *sink;

	set(bench, stats_new, "");
	fake_file(&bench->root, "proc/fs/cifs/Stats", COMMANDS "%s", 40, 100,
		strstr(stats_new, "1) "));
	fake_start(bench, &source_shares);
	(void)fake_tick(bench);
	fake_file(&bench->root, "proc/fs/cifs/Stats", COMMANDS "%s", 50, 150,
		strstr(stats_new, "1) "));
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "filer READ", RAW_CALL_OPS), 50);
	assert_int_equal(fake_value(sink, "filer READ", RAW_CALL_RTT_US), 600000);
	assert_int_equal(
		fake_why(sink, "filer READ", RAW_CALL_TX_BYTES, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_value(sink, "filer others", RAW_CALL_OPS), 50 + 4);
	assert_int_equal(fake_value(sink, "filer SMB", RAW_MOUNT_ANSWERS), 54);
	/* somebody set the counters back: nothing moved 2^64 times */
	fake_file(&bench->root, "proc/fs/cifs/Stats", COMMANDS "%s", 1, 2,
		strstr(stats_new, "1) "));
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "filer READ", RAW_CALL_OPS), 1);
	assert_int_equal(fake_why(sink, "filer WRITE", RAW_CALL_OPS, NULL), WHY_NONE);
}

/* ---- several servers, several sessions ---- */

#define SERVER                                                                         \
	"%d) ConnectionId: 0x%x Hostname: %s \nNumber of credits: %d Dialect 0x311\n"  \
	"TCP status: 1 Instance: 1\n"                                                  \
	"Local Users To Server: 1 SecMode: 0x1 Req On Wire: %d\n\tSessions: \n"
#define SESSION                                                                        \
	"\t1) Address: 10.1.0.20 Uses: 2\n\tSecurity type: RawNTLMSSP  SessionId: "    \
	"0x8c%s\n\tShares: \n\t1) %s Mounts: 1 DevInfo: 0x20\n"                        \
	"\tPathComponentMax: 255 Status: 1 type: DISK\n"

static const char commands_two[] =
	"Max requests in flight: 3\nTotal time spent processing by command. Time "
	"units are jiffies (250 per second)\n  8\t\t%d\t%d\t\t0\t17\n\n"
	"Max requests in flight: 3\nTotal time spent processing by command. Time "
	"units are jiffies (250 per second)\n  8\t\t%d\t%d\t\t0\t17\n\n"
	"1) " MAIL "\nSMBs: 9\nReads: 5 total 0 failed\n";

/* The kernel puts a new server before the others. */
static void a_new_server_takes_no_other_ones_rows(void **memory)
{
	struct fake_bench *bench = *memory;
	const char *debug = "proc/fs/cifs/DebugData", *stats = "proc/fs/cifs/Stats";
	const struct sink *sink;

	fake_file(
		&bench->root, debug, SERVER SESSION, 1, 0x6, "filer", 100, 2, "", MAIL);
	fake_file(&bench->root, stats, COMMANDS "%s", 900, 1000,
		"1) " MAIL "\nSMBs: 9\nReads: 5 total 0 failed\n");
	fake_start(bench, &source_shares);
	(void)fake_tick(bench);
	fake_file(&bench->root, stats, COMMANDS "%s", 910, 1000,
		"1) " MAIL "\nSMBs: 9\nReads: 5 total 0 failed\n");
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "filer READ", RAW_CALL_OPS), 910);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_INFLIGHT), 2);
	/* the same host again, by another connection, with a share of its own */
	fake_file(&bench->root, debug, SERVER SESSION SERVER SESSION, 1, 0x9, "filer",
		50, 7, "", FILES, 2, 0x6, "filer", 101, 3, "", MAIL);
	fake_file(&bench->root, stats, commands_two, 4, 8, 920, 1000);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "filer READ", RAW_CALL_OPS), 920);
	assert_int_equal(fake_value(sink, "filer #1", RAW_CONNECTION_CREDITS), 101);
	assert_int_equal(fake_value(sink, "filer/2 #1", RAW_CONNECTION_CREDITS), 50);
	assert_int_equal(fake_value(sink, "filer/2 #1", RAW_CONNECTION_INFLIGHT), 7);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_INFLIGHT), 3);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_ANSWERS), 920);
	fake_file(&bench->root, stats, commands_two, 6, 8, 930, 1000);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, "filer READ", RAW_CALL_OPS), 930);
	assert_int_equal(fake_value(sink, "filer/2 READ", RAW_CALL_OPS), 6);
}

/* Mounted with multiuser: each user has a session and a tree of its own. */
static void the_sessions_of_a_share_are_one_row(void **memory)
{
	struct fake_bench *bench = *memory;
	const char *stats = "proc/fs/cifs/Stats", *debug = "proc/fs/cifs/DebugData";
	const char *one = "1) " MAIL "\nSMBs: 40\nReads: 30 total 0 failed\n"
			  "2) " MAIL "\nSMBs: 9\nReads: 5 total 1 failed\n";
	const struct sink *sink;

	fake_file(&bench->root, debug, SERVER SESSION SESSION, 1, 0x6, "filer", 100, 2,
		" signed", MAIL, "", MAIL);
	fake_file(&bench->root, stats, "%s", one);
	fake_start(bench, &source_shares);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_READ_OPS), 35);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_OTHER_OPS), 49 - 35);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_ERRORS), 1);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_INFLIGHT), 2); /* once */
	assert_string_equal(fake_subject(sink, MAIL)->detail,
		"SMB 3.1.1, signed in some sessions, not encrypted");
	assert_int_equal(fake_why(sink, MAIL, RAW_MOUNT_SIGNED, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_ENCRYPTED), 0);
	/* a user logs off while others read more than that: no rate of 15 */
	fake_file(&bench->root, stats, "1) %s\nSMBs: 60\nReads: 50 total 0 failed\n",
		MAIL);
	sink = fake_tick(bench);
	assert_int_equal(fake_why(sink, MAIL, RAW_MOUNT_READ_OPS, NULL), WHY_RESET);
	sink = fake_tick(bench);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_READ_OPS), 50);
}

#define TWO_SHARES(user)                                                               \
	"\t" user ") Address: 10.1.0.20 Uses: 2\n\tShares: \n\t1) " MAIL               \
	" Mounts: 1 DevInfo: 0x20\n\t2) " FILES " Mounts: 1 DevInfo: 0x20\n"

/* Two users with two shares each: a, b, a, b. */
static void what_shares_a_server_is_named_once(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_file(&bench->root, "proc/fs/cifs/DebugData",
		SERVER TWO_SHARES("1") TWO_SHARES("2"), 1, 0x6, "filer", 100, 2);
	fake_file(&bench->root, "proc/fs/cifs/Stats", "%s", stats_new);
	fake_start(bench, &source_shares);
	assert_string_equal(fake_subject(fake_tick(bench), "filer SMB")->detail,
		"connections shared by " MAIL ", " FILES);
}

static void without_an_smb_client_there_is_nothing(void **memory)
{
	struct fake_bench *bench = *memory;

	fake_start(bench, &source_shares);
	assert_int_equal(fake_tick(bench)->reading_count, 0);
}

#define BENCH(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH(shares_of_a_new_kernel_are_read),
		BENCH(another_signing_state_is_an_event),
		BENCH(older_kernels_use_other_words),
		BENCH(smb1_has_its_bytes_beside_the_reads),
		BENCH(channels_of_a_server_are_added_up),
		BENCH(a_share_may_be_encrypted_beside_one_that_is_not),
		BENCH(signing_is_what_is_in_effect),
		BENCH(an_older_dialect_is_told),
		BENCH(commands_have_response_times),
		BENCH(a_new_server_takes_no_other_ones_rows),
		BENCH(the_sessions_of_a_share_are_one_row),
		BENCH(what_shares_a_server_is_named_once),
		BENCH(without_an_smb_client_there_is_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
