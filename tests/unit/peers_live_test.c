/*
 * TCP per storage peer, of real connections over the loopback of a network namespace
 * of this test: compared with what their own sockets say and with ss.
 */
#include "config.h"

#include "fake_root.h"
#include "source/table.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/tcp.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
	PAIRS = 3
};

struct pair {
	int client, server;
};

/* A namespace of this process's own, with its loopback up. */
static bool enter_namespace(void)
{
	struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
	bool done;
	int fd;

	if (unshare(CLONE_NEWNET) && unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return false;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	done = fd >= 0 && !ioctl(fd, SIOCSIFFLAGS, &request);
	if (fd >= 0)
		(void)close(fd);
	return done;
}

static struct sockaddr_in portal(void)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
		.sin_port = htons(3260),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int serve(void)
{
	struct sockaddr_in at = portal();
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	assert_return_code(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
	assert_return_code(listen(fd, PAIRS), 0);
	return fd;
}

static struct pair connect_to(int listener)
{
	struct sockaddr_in at = portal();
	struct pair pair = {.client = socket(AF_INET, SOCK_STREAM, 0)};

	assert_return_code(connect(pair.client, (struct sockaddr *)&at, sizeof at), 0);
	pair.server = accept(listener, NULL, NULL);
	assert_true(pair.server >= 0);
	return pair;
}

static struct tcp_info info_of(int fd)
{
	struct tcp_info info = {0};
	socklen_t size = sizeof info;

	assert_return_code(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size), 0);
	return info;
}

/* Sends, receives all of it, and waits until it is acknowledged. */
static void send_through(struct pair pair, size_t size)
{
	char bytes[4096] = {0};

	while (size) {
		size_t some = size < sizeof bytes ? size : sizeof bytes;

		assert_int_equal(send(pair.client, bytes, some, 0), some);
		assert_int_equal(recv(pair.server, bytes, some, MSG_WAITALL), some);
		size -= some;
	}
	while (info_of(pair.client).tcpi_unacked)
		(void)poll(NULL, 0, 1);
}

/* The kernel throws away what arrives at the server until it was sent again. */
static void lose_some(struct pair pair)
{
	struct sock_filter none = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog program = {1, &none};
	char byte = 0;
	int unused = 0;

	assert_return_code(setsockopt(pair.server, SOL_SOCKET, SO_ATTACH_FILTER,
				   &program, sizeof program),
		0);
	assert_int_equal(send(pair.client, "x", 1, 0), 1);
	while (info_of(pair.client).tcpi_total_retrans < 2)
		(void)poll(NULL, 0, 5);
	assert_return_code(setsockopt(pair.server, SOL_SOCKET, SO_DETACH_FILTER,
				   &unused, sizeof unused),
		0);
	assert_int_equal(recv(pair.server, &byte, 1, 0), 1);
	while (info_of(pair.client).tcpi_unacked)
		(void)poll(NULL, 0, 1);
}

/* What ss says of the clients; empty where there is no ss. */
static void ask_ss(char *text, size_t size)
{
	int ends[2], status;
	size_t used = 0;
	ssize_t got;
	pid_t child;

	assert_return_code(pipe(ends), 0);
	child = fork();
	if (!child) {
		(void)dup2(ends[1], STDOUT_FILENO);
		(void)execlp("ss", "ss", "-Htin", "dport = :3260", (char *)NULL);
		_exit(127);
	}
	(void)close(ends[1]);
	while ((got = read(ends[0], text + used, size - 1 - used)) > 0)
		used += (size_t)got;
	text[used] = 0;
	(void)close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
}

/* The sum over the clients of what follows KEY. */
static uint64_t sum_of(const char *text, const char *key)
{
	uint64_t sum = 0;

	while ((text = strstr(text, key))) {
		text += strlen(key);
		sum += strtoull(text, NULL, 10);
	}
	return sum;
}

static void compare_with_ss(const struct sink *sink)
{
	static const struct {
		const char *key;
		unsigned raw;
	} rows[] = {{"bytes_acked:", RAW_PEER_TX_BYTES},
		{"bytes_received:", RAW_PEER_RX_BYTES},
		{"bytes_retrans:", RAW_PEER_RETRANS_BYTES},
		{" segs_out:", RAW_PEER_TX_SEGS}, {" segs_in:", RAW_PEER_RX_SEGS},
		{" retrans:0/", RAW_PEER_RETRANS_SEGS}, {" cwnd:", RAW_PEER_CWND}};
	char text[8192];

	ask_ss(text, sizeof text);
	if (!strstr(text, "bytes_acked:")) {
		print_message("there is no ss (iproute2) to compare with\n");
		return;
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(fake_value(sink, "127.0.0.1:3260", rows[i].raw),
			sum_of(text, rows[i].key));
}

static void compare_with_sockets(const struct sink *sink, const struct pair *pairs)
{
	uint64_t acked = 0, served = 0, retrans = 0;

	for (int i = 0; i < PAIRS; i++) {
		acked += info_of(pairs[i].client).tcpi_bytes_acked;
		served += info_of(pairs[i].server).tcpi_bytes_received;
		retrans += info_of(pairs[i].client).tcpi_total_retrans;
	}
	assert_true(retrans >= 2);
	assert_int_equal(fake_value(sink, "127.0.0.1:3260", RAW_PEER_TX_BYTES), acked);
	assert_int_equal(
		fake_value(sink, "127.0.0.1:3260", RAW_PEER_RETRANS_SEGS), retrans);
	assert_int_equal(
		fake_value(sink, "127.0.0.1:3260/served", RAW_PEER_RX_BYTES), served);
	assert_int_equal(
		fake_value(sink, "127.0.0.1:3260/served", RAW_PEER_CONNECTIONS), PAIRS);
}

static void real_connections_agree_with_their_sockets_and_ss(void **memory)
{
	struct fake_bench *bench = *memory;
	struct pair pairs[PAIRS];
	const struct sink *sink;
	uint64_t before;
	int listener, other;

	if (!enter_namespace()) {
		print_message("no network namespace may be made here\n");
		skip();
	}
	listener = serve();
	other = socket(AF_INET, SOCK_STREAM, 0); /* listens elsewhere: not asked for */
	assert_return_code(listen(other, 1), 0);
	fake_start(bench, &source_peers);
	for (int i = 0; i < PAIRS; i++) {
		pairs[i] = connect_to(listener);
		send_through(pairs[i], 100000 * ((size_t)i + 1));
	}
	lose_some(pairs[1]);
	sink = fake_tick(bench);
	assert_int_equal(sink->subject_count, 2);
	compare_with_sockets(sink, pairs);
	compare_with_ss(sink);
	before = fake_value(sink, "127.0.0.1:3260", RAW_PEER_TX_BYTES);
	(void)close(pairs[0].client);
	(void)close(pairs[0].server);
	send_through(pairs[2], 5000);
	sink = fake_tick(bench);
	assert_int_equal(
		fake_value(sink, "127.0.0.1:3260", RAW_PEER_TX_BYTES), before + 5000);
	assert_int_equal(fake_value(sink, "127.0.0.1:3260", RAW_PEER_CONNECTIONS), 2);
	for (int i = 1; i < PAIRS; i++) {
		(void)close(pairs[i].client);
		(void)close(pairs[i].server);
	}
	(void)close(listener);
	(void)close(other);
}

/* Of connections that end between two looks nothing is lost, and one that came and
 * went in between counts whole. */
static void what_a_connection_did_before_its_end_is_counted(void **memory)
{
	struct fake_bench *bench = *memory;
	struct pair pair;
	uint64_t before;
	int listener;

	if (!enter_namespace()) {
		print_message("no network namespace may be made here\n");
		skip();
	}
	listener = serve();
	fake_start(bench, &source_peers);
	pair = connect_to(listener);
	send_through(pair, 1000);
	before = fake_value(fake_tick(bench), "127.0.0.1:3260", RAW_PEER_TX_BYTES);
	(void)fake_tick(bench); /* from here on ends are told */
	send_through(pair, 3000);
	(void)close(pair.client);
	(void)close(pair.server);
	pair = connect_to(listener);
	send_through(pair, 70000);
	(void)close(pair.client);
	(void)close(pair.server);
	/* and one each for the begin of a connection and the ends of both */
	for (uint64_t value = 0; value < before + 73000;)
		value = fake_value(
			fake_tick(bench), "127.0.0.1:3260", RAW_PEER_TX_BYTES);
	assert_in_range(
		fake_value(fake_tick(bench), "127.0.0.1:3260", RAW_PEER_TX_BYTES),
		before + 73000, before + 73003);
	(void)close(listener);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			real_connections_agree_with_their_sockets_and_ss, fake_setup,
			fake_teardown),
		cmocka_unit_test_setup_teardown(
			what_a_connection_did_before_its_end_is_counted, fake_setup,
			fake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
