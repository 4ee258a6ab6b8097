/*
 * Sends frames as fast as it can: flood INTERFACE SECONDS PROCESSES. Short ones of
 * every sort, good and bad, of ever new connections, and pure chance. Prints how many
 * it sent.
 */
#define _GNU_SOURCE
#include "config.h"

#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	BATCH = 64,
	ETHER = 14,
	IP4 = 20,
	SHORTEST = 60,
	LONGEST = 124,
	PROCESSES_MOST = 64
};

static volatile sig_atomic_t over;
static uint64_t state;
static uint8_t frames[BATCH][LONGEST];
static struct iovec parts[BATCH];
static struct mmsghdr messages[BATCH];

static void end(int number)
{
	(void)number;
	over = 1;
}

/* Marsaglia's xorshift: cheap, and good enough for noise. */
static uint64_t chance(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* The sum of the header is right in three of four: what lies behind it is judged then.
 */
static void sum_header(uint8_t *ip)
{
	uint32_t sum = 0;

	ip[10] = ip[11] = 0;
	for (int i = 0; i < IP4; i += 2)
		sum += (uint32_t)(ip[i] << 8 | ip[i + 1]);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	ip[10] = (uint8_t)(~sum >> 8);
	ip[11] = (uint8_t)~sum;
	if (chance() % 4 == 0)
		ip[11] ^= 1;
}

static void make(uint8_t *frame, size_t size)
{
	static const uint8_t protocols[] = {
		IPPROTO_TCP, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_ICMP};
	uint8_t *ip = frame + ETHER;

	for (size_t i = 0; i < size; i++)
		frame[i] = (uint8_t)(chance() >> 16);
	frame[0] = 2; /* to one host */
	if (chance() % 4 == 0)
		return;
	frame[12] = 8;
	frame[13] = 0;
	ip[0] = 0x45;
	ip[2] = 0;
	ip[3] = (uint8_t)(size - ETHER);
	ip[6] = chance() % 16 ? 0 : 0x20; /* some are pieces */
	ip[7] = 0;
	ip[9] = protocols[chance() % sizeof protocols];
	ip[IP4 + 12] = 5 << 4; /* a header of TCP without options */
	sum_header(ip);
}

static uint64_t send_all(int fd)
{
	uint64_t sent = 0;

	while (!over) {
		unsigned at = (unsigned)(chance() % BATCH);
		int done;

		make(frames[at], parts[at].iov_len); /* one is new each time */
		done = sendmmsg(fd, messages, BATCH, 0);
		sent += done > 0 ? (uint64_t)done : 0;
	}
	return sent;
}

static int packet_socket(const char *name)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(name)};
	/* nothing is to be received */
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (const struct sockaddr *)(const void *)&to, sizeof to)) {
		perror(name);
		exit(EXIT_FAILURE);
	}
	(void)setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &(int){1}, sizeof(int));
	return fd;
}

static uint64_t flood(const char *name, unsigned seconds, uint64_t seed)
{
	int fd = packet_socket(name);

	state = 88172645463325252u + seed;
	for (size_t i = 0; i < BATCH; i++) {
		parts[i] = (struct iovec){frames[i],
			SHORTEST + (size_t)(chance() % (LONGEST - SHORTEST))};
		messages[i].msg_hdr =
			(struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
		make(frames[i], parts[i].iov_len);
	}
	(void)signal(SIGALRM, end);
	(void)alarm(seconds);
	return send_all(fd);
}

int main(int argc, char **argv)
{
	unsigned processes = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
	uint64_t *sent, all = 0;

	if (!processes || processes > PROCESSES_MOST)
		return EXIT_FAILURE;
	sent = mmap(NULL, PROCESSES_MOST * sizeof *sent, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sent == MAP_FAILED)
		return EXIT_FAILURE;
	for (unsigned i = 0; i < processes; i++)
		if (fork() == 0) {
			sent[i] =
				flood(argv[1], (unsigned)strtoul(argv[2], NULL, 10), i);
			_exit(EXIT_SUCCESS);
		}
	while (wait(NULL) > 0)
		;
	for (unsigned i = 0; i < processes; i++)
		all += sent[i];
	printf("%llu\n", (unsigned long long)all);
	return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
