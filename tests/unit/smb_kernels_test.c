/*
 * /proc/fs/cifs/DebugData as kernels from 3.10 to 6.12 lay it out: where the figures of
 * a server stand, which of them there are, and what may not be said where the kernel
 * does not. Each file is written by hand from the layout of that kernel.
 */
#include "config.h"

#include "fake_root.h"
#include "source/smb.h"
#include "source/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MAIL "\\\\10.1.0.20\\mail"
#define HOME "\\\\10.1.0.30\\home"

#define HEAD                                                                           \
	"Display Internal CIFS Data Structures for Debugging\n"                        \
	"---------------------------------------------------\n"

/* 3.10: neither dialect nor credits; SMB2 has no names of systems, so that the server's
 * own line stays short. STATS2 may be off. */
static const char linux_3_10[] = HEAD
	"CIFS Version 2.01\nFeatures: dfs fscache lanman posix spnego xattr acl\n"
	"Active VFS Requests: 0\nServers:\n"
	"1) entry for 10.1.0.20 not fully displayed\n"
	"\tTCP status: 1\n\tLocal Users To Server: 1 SecMode: 0x3 Req On Wire: 4"
	" In Send: 0 In MaxReq Wait: 2\n"
	"\tShares:\n\t1) " MAIL " Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK \n\n\tMIDs:\n"
	"\tState: 2 com: 8 pid: 711 cbdata: ffff8801 mid 31\n"
	"2) Name: 10.1.0.30  Domain: D Uses: 1 OS: Unix\n"
	"\tNOS: Samba 3.6\tCapability: 0x80f3fc\n\tSMB session status: 1\t"
	"TCP status: 1\n\tLocal Users To Server: 1 SecMode: 0x3 Req On Wire: 0\n"
	"\tShares:\n\t1) " HOME " Mounts: 1 Type: NTFS DevInfo: 0x0 Attributes: 0x2b\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK \n\n\tMIDs:\n\n";

/* 4.14: credits before the name. */
static const char linux_4_14[] = HEAD
	"CIFS Version 2.10\nFeatures: DFS,FSCACHE,STATS,DEBUG,CIFS_POSIX\n"
	"Active VFS Requests: 0\nServers:\nNumber of credits: 251\n"
	"1) Name: 10.1.0.20 Uses: 1 Capability: 0x300067\tSession Status: 1\t"
	"TCP status: 1\n\tLocal Users To Server: 1 SecMode: 0x1 Req On Wire: 3\n"
	"\tShares:\n\t1) " MAIL " Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK Share Capabilities: None"
	"\tShare Flags: 0x0\n\n\tMIDs:\n"
	"Number of credits: 17\n"
	"2) Name: 10.1.0.30 Uses: 1 Capability: 0x300067\tSession Status: 1\tGuest\t"
	"TCP status: 1\n\tLocal Users To Server: 1 SecMode: 0x1 Req On Wire: 9\n"
	"\tShares:\n\t1) " HOME " Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK \n\n\tMIDs:\n\n";

/* 4.18 of RHEL 8, and with fewer words 4.19 to 5.10: the first server is signed and has
 * a second connection, which stands in the list of servers as well, without a session;
 * the second one has two sessions and a share that is encrypted. */
static const char linux_4_18[] = HEAD
	"CIFS Version 2.29\n"
	"Features: DFS,FSCACHE,STATS2,DEBUG,ALLOW_INSECURE_LEGACY,XATTR,ACL\n"
	"CIFSMaxBufSize: 16384\nActive VFS Requests: 1\nServers:\n"
	"Number of credits: 389 Dialect 0x311 signed posix\n"
	"1) Name: 10.1.0.20 Uses: 1 Capability: 0x300067\tSession Status: 1 "
	"Security type: RawNTLMSSP\n"
	"TCP status: 1 Instance: 2\n\tLocal Users To Server: 1 SecMode: 0x3 "
	"Req On Wire: 7 In Send: 0 In MaxReq Wait: 1 SessionId: 0x8c01 signed\n"
	"\tUser: 0 Cred User: 0\n\n\tExtra Channels: 1\n"
	"\t\tChannel 2 Number of credits: 44 Dialect 0x311 TCP status: 1 Instance: 1 "
	"Local Users To Server: 1 SecMode: 0x3 Req On Wire: 5 In Send: 0 "
	"In MaxReq Wait: 0\n\n\n\tShares:\n"
	"\t0) IPC: \\\\10.1.0.20\\IPC$ Mounts: 1 DevInfo: 0x0 Attributes: 0x0\n"
	"\tPathComponentMax: 0 Status: 1 type: 0 Serial Number: 0x0 Encrypted\n\n"
	"\t1) " MAIL " Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK Serial Number: 0x7fc3\n\n"
	"\tMIDs:\n\n\tServer interfaces: 2\n\t0)\tSpeed: 10000000000 bps\n"
	"\t\tCapabilities: rss \n\t\tIPv4: 10.1.0.20\n"
	"\t1)\tSpeed: 1000000000 bps\n\t\tCapabilities: \n\t\tIPv4: 10.1.0.21\n"
	"Number of credits: 44 Dialect 0x311\n"
	"Number of credits: 90 Dialect 0x302\n"
	"3) Name: 10.1.0.30 Uses: 1 Capability: 0x300067\tSession Status: 1 "
	"Security type: Kerberos\n"
	"TCP status: 1 Instance: 1\n\tLocal Users To Server: 2 SecMode: 0x1 "
	"Req On Wire: 2 In Send: 0 In MaxReq Wait: 0 SessionId: 0x9001\n"
	"\tUser: 0 Cred User: 0\n\n\tShares:\n\t0) IPC: none\n\n"
	"\t1) " HOME " Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK Serial Number: 0x1 Encrypted\n\n"
	"\tMIDs:\n\n"
	"3) Name: 10.1.0.30 Uses: 1 Capability: 0x300067\tSession Status: 1 "
	"Security type: Kerberos\n"
	"TCP status: 1 Instance: 1\n\tLocal Users To Server: 2 SecMode: 0x1 "
	"Req On Wire: 2 In Send: 0 In MaxReq Wait: 0 SessionId: 0x9002\n"
	"\tUser: 0 Cred User: 0\n\n\tShares:\n\t0) IPC: none\n\n"
	"\t1) " HOME " Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK Serial Number: 0x1 Encrypted\n\n"
	"\tMIDs:\n\n";

/* 6.6 and 6.12: RDMA, a session of SMB1 with its names, one that is reconnecting, and
 * words that were not there before. */
static const char linux_6_6[] = HEAD
	"CIFS Version 2.45\nFeatures: DFS,SMB_DIRECT,STATS2,DEBUG,XATTR,ACL,WITNESS\n"
	"CIFSMaxBufSize: 16384\nActive VFS Requests: 1\n\nServers: \n"
	"1) ConnectionId: 0x7 Hostname: filer \n"
	"SMBDirect (in hex) protocol version: 100 transport status: 2\n"
	"Conn receive_credit_max: ff send_credit_target: ff max_send_size: 554\n"
	"Current Credits send_credits: fa receive_credits: fb receive_credit_target: "
	"ff\n"
	"Number of credits: 8191 Dialect 0x311 COMPRESS_LZ77 signed posix nosharesock\n"
	"RDMA \nTCP status: 1 Instance: 3\n"
	"Local Users To Server: 1 SecMode: 0x3 Req On Wire: 11 Net namespace: "
	"4026531840 \n"
	"In Send: 1 In MaxReq Wait: 0\nCompression: enabled on mount\n\n\tSessions: \n"
	"\t1) Address: 10.1.0.20 Uses: 1 Capability: 0x300067\tSession Status: 1 \n"
	"\tSecurity type: RawNTLMSSP  SessionId: 0xa1 encrypted(aes-256-gcm) signed\n"
	"\tUser: 0 Cred User: 0\tPrimary channel: DISCONNECTED \t[RECONNECTING] \n\n"
	"\tShares: \n\t0) IPC: none\n\n"
	"\t1) " MAIL " Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK Serial Number: 0x7fc3 "
	"nosparse\n\n"
	"\n\tMIDs: \n\tServer ConnectionId: 0x7\n"
	"\t\tState: 2 com: 9 pid: 4 cbdata: 0000 mid 9\n--\n"
	"\n2) ConnectionId: 0x3 Hostname: old \n"
	"Number of credits: 50 Dialect 0x0\nTCP status: 1 Instance: 1\n"
	"Local Users To Server: 1 SecMode: 0x3 Req On Wire: 1\n"
	"In Send: 0 In MaxReq Wait: 0\n\n\tSessions: \n"
	"\t1) Name: 10.1.0.30  Domain: D Uses: 1 OS: Unix \n"
	"\tNOS: Samba 4.9\tCapability: 0x80f3fc\n\tSMB session status: 1 \n"
	"\tSecurity type: RawNTLMSSP  SessionId: 0x0\n\tUser: 0 Cred User: 0\n\n"
	"\tShares: \n\t0) IPC: none\n\n"
	"\t1) " HOME " Mounts: 1 Type: NTFS DevInfo: 0x20 Attributes: 0x2b\n"
	"\tPathComponentMax: 255 Status: 1 type: DISK Serial Number: 0x2\n\n\n"
	"\tMIDs: \n--\n";

static const char stats[] =
	"Max requests in flight: 9\n1) " MAIL "\nSMBs: 60\nReads: 33 total 1 failed\n"
	"2) " HOME "\nSMBs: 70\nReads: 44 total 0 failed\n";

static const struct sink *tick(struct fake_bench *bench, const char *debug)
{
	fake_file(&bench->root, "proc/fs/cifs/Stats", "%s", stats);
	fake_file(&bench->root, "proc/fs/cifs/DebugData", "%s", debug);
	fake_start(bench, &source_shares);
	return fake_tick(bench);
}

static void check_unknown(const struct sink *sink, const char *share)
{
	assert_int_equal(
		fake_why(sink, share, RAW_MOUNT_SIGNED, NULL), WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, share, RAW_MOUNT_ENCRYPTED, NULL), WHY_UNSUPPORTED);
	assert_string_equal(fake_subject(sink, share)->detail,
		"SMB, signing and encryption not told by this kernel");
}

static void check_state(const struct sink *sink, const char *share, unsigned is_signed,
	unsigned encrypted)
{
	assert_int_equal(fake_value(sink, share, RAW_MOUNT_SIGNED), is_signed);
	assert_int_equal(fake_value(sink, share, RAW_MOUNT_ENCRYPTED), encrypted);
}

static void linux_3_10_does_not_say_what_is_signed(void **memory)
{
	const struct sink *sink = tick(*memory, linux_3_10);

	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_INFLIGHT), 4);
	assert_int_equal(fake_value(sink, HOME, RAW_MOUNT_INFLIGHT), 0);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_READ_OPS), 33);
	assert_int_equal(fake_why(sink, "10.1.0.20 #1", RAW_CONNECTION_CREDITS, NULL),
		WHY_UNSUPPORTED);
	assert_int_equal(
		fake_why(sink, MAIL, RAW_MOUNT_CONNECTS, NULL), WHY_UNSUPPORTED);
	check_unknown(sink, MAIL);
	check_unknown(sink, HOME);
}

static void credits_of_linux_4_14_belong_to_the_server_behind_them(void **memory)
{
	const struct sink *sink = tick(*memory, linux_4_14);

	assert_int_equal(fake_value(sink, "10.1.0.20 #1", RAW_CONNECTION_CREDITS), 251);
	assert_int_equal(fake_value(sink, "10.1.0.30 #1", RAW_CONNECTION_CREDITS), 17);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_INFLIGHT), 3);
	assert_int_equal(fake_value(sink, HOME, RAW_MOUNT_INFLIGHT), 9);
	check_unknown(sink, MAIL);
}

static void linux_4_18_says_before_its_name_how_a_server_is_protected(void **memory)
{
	const struct sink *sink = tick(*memory, linux_4_18);

	check_state(sink, MAIL, 1, 0);
	assert_string_equal(
		fake_subject(sink, MAIL)->detail, "SMB 3.1.1, signed, not encrypted");
	check_state(sink, HOME, 0, 1);
	assert_string_equal(
		fake_subject(sink, HOME)->detail, "SMB 3.0.2, not signed, encrypted");
	/* 7 on the first connection, 5 on the second one, which is no server */
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_INFLIGHT), 12);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_CONNECTIONS), 2);
	assert_int_equal(fake_value(sink, "10.1.0.20 #1", RAW_CONNECTION_CREDITS), 389);
	assert_int_equal(fake_value(sink, "10.1.0.20 #2", RAW_CONNECTION_CREDITS), 44);
	assert_int_equal(fake_value(sink, "10.1.0.30 #1", RAW_CONNECTION_CREDITS), 90);
	/* two sessions are one server: 2, not 4 */
	assert_int_equal(fake_value(sink, HOME, RAW_MOUNT_INFLIGHT), 2);
	assert_int_equal(fake_value(sink, HOME, RAW_MOUNT_CONNECTIONS), 1);
}

static void words_of_later_kernels_do_no_harm(void **memory)
{
	const struct sink *sink = tick(*memory, linux_6_6);

	check_state(sink, MAIL, 1, 1);
	check_state(sink, HOME, 0, 0);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_INFLIGHT), 11);
	assert_int_equal(fake_value(sink, HOME, RAW_MOUNT_INFLIGHT), 1);
	assert_int_equal(fake_value(sink, MAIL, RAW_MOUNT_CONNECTS), 3);
	assert_int_equal(fake_value(sink, "filer #1", RAW_CONNECTION_CREDITS), 8191);
	/* a session of SMB1 has a name, and is no server */
	assert_int_equal(fake_value(sink, "old #1", RAW_CONNECTION_CREDITS), 50);
}

/* A file that ends anywhere gives what was before, and never more servers than it has.
 */
static void a_file_that_is_cut_anywhere_is_read_up_to_there(void **memory)
{
	static const char *const files[] = {
		linux_3_10, linux_4_14, linux_4_18, linux_6_6};
	char text[sizeof linux_4_18 + sizeof linux_6_6];

	(void)memory;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		for (size_t length = 0; length < strlen(files[i]); length++) {
			struct smb_debug debug = {.servers = 0};

			(void)snprintf(
				text, sizeof text, "%.*s", (int)length, files[i]);
			smb_debug_parse(&debug, text);
			assert_in_range(debug.servers, 0, 2);
			assert_in_range(debug.link_count, 0, 3);
			smb_debug_fini(&debug);
		}
}

#define BENCH(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH(linux_3_10_does_not_say_what_is_signed),
		BENCH(credits_of_linux_4_14_belong_to_the_server_behind_them),
		BENCH(linux_4_18_says_before_its_name_how_a_server_is_protected),
		BENCH(words_of_later_kernels_do_no_harm),
		BENCH(a_file_that_is_cut_anywhere_is_read_up_to_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
