/* TCP per storage peer, out of answers of the kernel written here by its headers. */
#include "config.h"

#include "fake_root.h"
#include "source/peers.h"
#include "source/table.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

/* ---- written answers ---- */

struct told {
	const char *local, *remote; /* addresses; with a colon: IPv6 */
	uint16_t local_port, remote_port;
	uint32_t cookie;
	uint8_t state;
	size_t info_size; /* 0: no such attribute */
	struct tcp_info info;
};

static void put_address(const char *text, uint8_t *to)
{
	assert_int_equal(
		inet_pton(strchr(text, ':') ? AF_INET6 : AF_INET, text, to), 1);
}

static void tell(struct buffer *out, const struct told *told)
{
	struct inet_diag_msg message = {.idiag_state = told->state};
	struct rtattr mark = {.rta_type = INET_DIAG_MARK, .rta_len = sizeof mark + 1};
	struct rtattr info = {.rta_type = INET_DIAG_INFO,
		.rta_len = (unsigned short)(sizeof info + told->info_size)};
	struct nlmsghdr head = {.nlmsg_type = TCPDIAG_GETSOCK};

	message.idiag_family = strchr(told->local, ':') ? AF_INET6 : AF_INET;
	message.id.idiag_sport = htons(told->local_port);
	message.id.idiag_dport = htons(told->remote_port);
	message.id.idiag_cookie[0] = told->cookie;
	message.id.idiag_if = 7;
	put_address(told->local, (uint8_t *)message.id.idiag_src);
	put_address(told->remote, (uint8_t *)message.id.idiag_dst);
	head.nlmsg_len = (uint32_t)(sizeof head + sizeof message + 8 +
				    (told->info_size ? info.rta_len : 0));
	buffer_add(out, &head, sizeof head);
	buffer_add(out, &message, sizeof message);
	buffer_add(out, &mark, sizeof mark); /* another attribute, padded, before it */
	buffer_add(out, "\xff\0\0", 4);
	if (!told->info_size)
		return;
	buffer_add(out, &info, sizeof info);
	buffer_add(out, &told->info, told->info_size);
}

/* One look at SOCKETS, by way of their bytes. */
/* Ends that the kernel has told before a look; it takes them. */
static struct diag_socket ends[2];
static size_t end_count;

static void ends_now(const struct diag_socket *socket)
{
	ends[end_count++] = *socket;
}

static const struct sink *look(struct fake_bench *bench, struct peers *peers,
	struct told *sockets, size_t count)
{
	struct fault fault;
	struct buffer bytes = {0};
	struct diag_reader reader = {0};
	struct diag_socket one;
	size_t seen = 0;

	for (size_t i = 0; i < count; i++)
		tell(&bytes, &sockets[i]);
	reader.data = bytes.data;
	reader.size = bytes.size;
	if (!peers->ports.count)
		assert_true(ports_set(&peers->ports, NULL, &fault));
	peers_begin(peers);
	while (end_count)
		peers_ended(peers, &ends[--end_count], NSEC_PER_SEC);
	while (diag_next(&reader, &one) == DIAG_SOCKET) {
		peers_add(peers, &one);
		seen++;
	}
	assert_int_equal(seen, count);
	peers_end(peers);
	sink_begin(&bench->sink);
	peers_put(peers, &bench->sink);
	buffer_fini(&bytes);
	return &bench->sink;
}

static struct told client(uint32_t cookie, uint64_t sent, uint64_t received)
{
	return (struct told){.local = "10.1.0.9",
		.remote = "10.1.0.20",
		.local_port = 40000,
		.remote_port = 3260,
		.cookie = cookie,
		.state = DIAG_ESTABLISHED,
		.info_size = sizeof(struct tcp_info),
		.info = {.tcpi_bytes_acked = sent,
			.tcpi_bytes_received = received,
			.tcpi_rtt = 1000 * cookie,
			.tcpi_min_rtt = 100 * cookie,
			.tcpi_snd_cwnd = 10,
			.tcpi_pmtu = 9000 - cookie,
			.tcpi_unacked = 3}};
}

#define SAN "10.1.0.20:3260"

static void connections_of_a_peer_are_summed(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told sockets[] = {client(1, 100, 5), client(2, 1000, 7)};
	const struct sink *sink;

	sockets[1].info.tcpi_total_retrans = 4;
	sockets[1].info.tcpi_bytes_retrans = 5792;
	sockets[1].info.tcpi_dsack_dups = 2;
	sockets[1].info.tcpi_rcv_ooopack = 6;
	sockets[0].info.tcpi_segs_out = 11;
	sockets[0].info.tcpi_segs_in = 12;
	sockets[0].info.tcpi_delivery_rate = 125000000;
	sink = look(bench, &peers, sockets, 2);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 1100);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_RX_BYTES), 12);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_RETRANS_SEGS), 4);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_RETRANS_BYTES), 5792);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_DSACK), 2);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_OOO), 6);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_SEGS), 11);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_RX_SEGS), 12);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_CONNECTIONS), 2);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_UNACKED), 6);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_RTT_US), 1500);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_MIN_RTT_US), 100);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_CWND), 20);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_DELIVERY), 125000000);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_PMTU), 8998);
	assert_string_equal(
		fake_subject(sink, SAN)->detail, "iSCSI, this host is the client");
	peers_fini(&peers);
}

static void a_connection_that_ends_takes_nothing_back(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told both[] = {client(1, 100, 0), client(2, 1000, 0)};
	struct told later[] = {client(2, 1500, 0)};
	struct told again[] = {client(2, 1500, 0), client(3, 20, 0)};
	const struct sink *sink;

	(void)look(bench, &peers, both, 2);
	sink = look(bench, &peers, later, 1);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 1600);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_CONNECTIONS), 1);
	sink = look(bench, &peers, later, 1);
	assert_true(fake_event(sink, SAN ": 0 connections opened, 1 closed, 1 now"));
	sink = look(bench, &peers, again, 2);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 1620);
	assert_true(fake_event(sink, SAN ": 1 connections opened, 0 closed, 2 now"));
	(void)look(bench, &peers, NULL, 0);
	sink = look(bench, &peers, NULL, 0);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 1620);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_CONNECTIONS), 0);
	assert_int_equal(fake_why(sink, SAN, RAW_PEER_RTT_US, NULL), WHY_ABSENT);
	peers_fini(&peers);
}

/* The kernel lists sockets bucket by bucket and can miss one whose neighbour goes. */
static void a_connection_missed_once_does_not_count_anew(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told both[] = {client(1, 100, 0), client(2, 1000, 0)};
	const struct sink *sink;

	(void)look(bench, &peers, both, 2);
	(void)look(bench, &peers, both, 1);
	sink = look(bench, &peers, both, 2);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 1100);
	assert_int_equal(sink->event_count, 0);
	peers_fini(&peers);
}

/* What the kernel tells at the end of a socket is all that it ever did. */
static void the_last_bytes_of_a_connection_count(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told one = client(1, 100, 0);
	struct diag_socket end = {.cookie = 1,
		.state = 7,
		.remote = {.port = 3260, .address = {10, 1, 0, 20}},
		.have = UINT32_MAX,
		.values = {[DIAG_BYTES_ACKED] = 150, [DIAG_SILENCE] = 3}};
	const struct sink *sink;

	(void)look(bench, &peers, &one, 1);
	ends_now(&end);
	sink = look(bench, &peers, NULL, 0);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 150);
	end.cookie = 2; /* came and went between two looks */
	end.values[DIAG_BYTES_ACKED] = 7;
	ends_now(&end);
	end.cookie = 3; /* given up long ago, ends only now */
	end.values[DIAG_SILENCE] = 5000;
	ends_now(&end);
	sink = look(bench, &peers, NULL, 0);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 157);
	assert_true(fake_event(sink, SAN ": 1 connections opened, 1 closed, 0 now"));
	assert_int_equal(peers.connection_count, 0);
	peers_fini(&peers);
}

/* The end may be told at the very look that would have given the socket up. */
static void an_end_that_is_told_late_is_told_once(void **memory)
{
	for (unsigned late = 0; late < 5; late++) {
		struct fake_bench *bench = *memory;
		struct peers peers = {0};
		struct told both[] = {client(1, 100, 0), client(2, 100, 0)};
		struct diag_socket end = {.cookie = 1,
			.state = 7,
			.remote = {.port = 3260, .address = {10, 1, 0, 20}},
			.have = UINT32_MAX,
			.values = {[DIAG_BYTES_ACKED] = 150, [DIAG_SILENCE] = 3}};
		unsigned told = 0;

		(void)look(bench, &peers, both, 2);
		for (unsigned i = 0; i < 6; i++) {
			if (i == late)
				ends_now(&end);
			told += fake_event(look(bench, &peers, &both[1], 1),
				SAN ": 0 connections opened, 1 closed, 1 now");
		}
		assert_int_equal(told, 1);
		assert_int_equal(peers.list[0].sums[DIAG_BYTES_ACKED], 250);
		peers_fini(&peers);
	}
}

/* 3260 is always one of them; 445 may be asked for twice. */
static void more_ports_may_be_named(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told sockets[] = {client(1, 100, 0), client(2, 7, 0)};
	struct fault fault;
	const struct sink *sink;

	sockets[1].remote_port = 8445;
	assert_true(ports_set(&peers.ports, "8445,445", &fault));
	assert_int_equal(peers.ports.count, PORTS_KNOWN + 1);
	sink = look(bench, &peers, sockets, 2);
	assert_int_equal(fake_value(sink, "10.1.0.20:8445", RAW_PEER_TX_BYTES), 7);
	assert_string_equal(fake_subject(sink, "10.1.0.20:8445")->detail,
		"storage, this host is the client");
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 100);
	peers_fini(&peers);
}

static void a_narrow_counter_of_the_kernel_may_wrap(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told one = client(1, 0, 0);
	const struct sink *sink;

	one.info.tcpi_segs_out = UINT32_MAX;
	(void)look(bench, &peers, &one, 1);
	one.info.tcpi_segs_out = 9;
	sink = look(bench, &peers, &one, 1);
	assert_int_equal(
		fake_value(sink, SAN, RAW_PEER_TX_SEGS), (uint64_t)UINT32_MAX + 10);
	peers_fini(&peers);
}

static void what_an_older_kernel_does_not_count_is_not_zero(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told one = client(1, 100, 5);
	const struct sink *sink;

	one.info_size = offsetof(struct tcp_info, tcpi_bytes_sent); /* before 4.19 */
	sink = look(bench, &peers, &one, 1);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 100);
	assert_int_equal(
		fake_why(sink, SAN, RAW_PEER_RETRANS_BYTES, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_why(sink, SAN, RAW_PEER_DSACK, NULL), WHY_UNSUPPORTED);
	assert_int_equal(fake_why(sink, SAN, RAW_PEER_OOO, NULL), WHY_UNSUPPORTED);
	peers_fini(&peers);
}

static void before_a_first_measurement_there_is_no_round_trip(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told one = client(1, 100, 5);
	const struct sink *sink;

	one.info.tcpi_rtt = 0;
	one.info.tcpi_min_rtt = UINT32_MAX;
	sink = look(bench, &peers, &one, 1);
	assert_int_equal(fake_why(sink, SAN, RAW_PEER_RTT_US, NULL), WHY_ABSENT);
	assert_int_equal(fake_why(sink, SAN, RAW_PEER_MIN_RTT_US, NULL), WHY_ABSENT);
	assert_int_equal(fake_why(sink, SAN, RAW_PEER_DELIVERY, NULL), WHY_ABSENT);
	peers_fini(&peers);
}

/* A client of NFS may well have port 860 at its own end. */
static void the_storage_side_is_where_somebody_listens(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told sockets[] = {
		{"0.0.0.0", "0.0.0.0", 445, 0, 1, DIAG_LISTEN, 0, {0}},
		client(2, 100, 0),
		client(3, 200, 0),
		client(4, 400, 0),
		client(5, 800, 0),
	};
	const struct sink *sink;

	sockets[1].local_port = 860; /* to port 3260: as before */
	sockets[2].local_port = 860; /* to elsewhere: nothing of ours */
	sockets[2].remote_port = 111;
	sockets[3].local_port = 445; /* from a client */
	sockets[3].remote_port = 50000;
	sockets[4].state = DIAG_SYN_SENT; /* not connected yet */
	sink = look(bench, &peers, sockets, 5);
	assert_int_equal(sink->subject_count, 2);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 100);
	assert_int_equal(
		fake_value(sink, "10.1.0.9:445/served", RAW_PEER_TX_BYTES), 400);
	assert_string_equal(fake_subject(sink, "10.1.0.9:445/served")->detail,
		"SMB, served by this host");
	peers_fini(&peers);
}

static void addresses_of_every_kind_have_names(void **memory)
{
	struct fake_bench *bench = *memory;
	struct peers peers = {0};
	struct told sockets[] = {client(1, 1, 0), client(2, 2, 0), client(3, 4, 0)};
	const struct sink *sink;

	sockets[0].local = sockets[1].local = sockets[2].local = "2001:db8::9";
	sockets[0].remote = "2001:db8::20";
	sockets[1].remote = "fe80::20";
	sockets[2].remote = "::ffff:10.1.0.20";
	sink = look(bench, &peers, sockets, 3);
	assert_int_equal(fake_value(sink, "[2001:db8::20]:3260", RAW_PEER_TX_BYTES), 1);
	assert_int_equal(fake_value(sink, "[fe80::20%7]:3260", RAW_PEER_TX_BYTES), 2);
	assert_int_equal(fake_value(sink, SAN, RAW_PEER_TX_BYTES), 4);
	peers_fini(&peers);
}

static enum diag_step after(const void *data, size_t size, int *error)
{
	struct diag_reader reader = {.data = data, .size = size};
	struct diag_socket one;
	enum diag_step step = diag_next(&reader, &one);

	*error = reader.error;
	return step;
}

static void ends_and_errors_of_a_dump_are_told_apart(void **memory)
{
	struct {
		struct nlmsghdr head;
		int32_t code;
	} message = {{.nlmsg_len = sizeof message, .nlmsg_type = NLMSG_DONE}, 0};
	int error;

	(void)memory;
	assert_int_equal(after(&message, sizeof message, &error), DIAG_DONE);
	assert_int_equal(after(&message, 0, &error), DIAG_MORE);
	assert_int_equal(after(&message, sizeof message - 1, &error), DIAG_FAILED);
	message.code = -22;
	message.head.nlmsg_type = NLMSG_ERROR;
	assert_int_equal(after(&message, sizeof message, &error), DIAG_FAILED);
	assert_int_equal(error, 22);
	message.head.nlmsg_type = TCPDIAG_GETSOCK; /* too short for a socket */
	assert_int_equal(after(&message, sizeof message, &error), DIAG_FAILED);
	message.head.nlmsg_len = 3;
	assert_int_equal(after(&message, sizeof message, &error), DIAG_FAILED);
}

#define BENCH(test) cmocka_unit_test_setup_teardown(test, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BENCH(connections_of_a_peer_are_summed),
		BENCH(a_connection_that_ends_takes_nothing_back),
		BENCH(a_connection_missed_once_does_not_count_anew),
		BENCH(the_last_bytes_of_a_connection_count),
		BENCH(an_end_that_is_told_late_is_told_once),
		BENCH(more_ports_may_be_named),
		BENCH(a_narrow_counter_of_the_kernel_may_wrap),
		BENCH(what_an_older_kernel_does_not_count_is_not_zero),
		BENCH(before_a_first_measurement_there_is_no_round_trip),
		BENCH(the_storage_side_is_where_somebody_listens),
		BENCH(addresses_of_every_kind_have_names),
		cmocka_unit_test(ends_and_errors_of_a_dump_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
