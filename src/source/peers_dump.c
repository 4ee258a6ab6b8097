/*
 * The source of storage peers: asks the kernel for its TCP sockets, those of NFS,
 * iSCSI and SMB inside the kernel among them. Needs no privilege; sees the network
 * namespace that weir runs in. The kernel takes each socket's lock for it and may
 * wait for that, so this source has a thread of its own.
 */
#include "config.h"

#include "base/alloc.h"
#include "source/peers.h"
#include "source/table.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	ANSWER = 32768 /* the kernel fills at most this much at a time */
};

/* While there has been no peer at all, the kernel's table is walked this seldom. */
static const nsec rest = 5 * NSEC_PER_SEC;

struct state {
	int fd;
	struct buffer request;
	nsec looked; /* monotonic: when nobody was found, else 0 */
	struct peers peers;
	uint8_t answer[ANSWER];
};

static bool take(struct state *state, struct diag_reader *reader, bool *done,
	struct fault *fault)
{
	struct diag_socket one;

	for (;;)
		switch (diag_next(reader, &one)) {
		case DIAG_SOCKET:
			peers_add(&state->peers, &one);
			break;
		case DIAG_DONE:
			*done = true;
			return reader->torn ? fault_set(fault, "sockets came and went "
							       "while they were listed")
					    : true;
		case DIAG_MORE:
			return true;
		case DIAG_FAILED:
			return fault_errno(
				fault, reader->error, "socket diagnosis of the kernel");
		}
}

/* Answers are there when they are asked for: nothing is waited for. */
static bool receive(
	struct state *state, struct diag_reader *reader, struct fault *fault)
{
	ssize_t got;

	do
		got = recv(state->fd, state->answer, sizeof state->answer,
			MSG_DONTWAIT | MSG_TRUNC);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return fault_errno(fault, errno, "socket diagnosis of the kernel");
	if (!got || (size_t)got > sizeof state->answer)
		return fault_set(
			fault, "socket diagnosis: an answer of %zd bytes", got);
	reader->data = state->answer;
	reader->size = (size_t)got;
	reader->at = 0;
	return true;
}

static bool dump(struct state *state, struct fault *fault)
{
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	struct diag_reader reader = {0};
	bool done = false;

	if (sendto(state->fd, state->request.data, state->request.size, 0,
		    (const struct sockaddr *)&kernel, sizeof kernel) < 0)
		return fault_errno(fault, errno, "socket diagnosis of the kernel");
	while (!done)
		if (!receive(state, &reader, fault) ||
			!take(state, &reader, &done, fault))
			return false;
	return true;
}

static bool open_netlink(int *fd, struct fault *fault)
{
	*fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	return *fd >= 0 || fault_errno(fault, errno, "NETLINK_SOCK_DIAG");
}

/* The rest of a dump that failed must not answer the next one. */
static void start_anew(struct state *state)
{
	if (state->fd >= 0)
		(void)close(state->fd); /* nothing was written */
	state->fd = -1;
}

static bool peers_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	if (state->looked && now - state->looked < rest && !sink_is_marked(sink))
		return true;
	if (state->fd < 0 && !open_netlink(&state->fd, fault))
		return false;
	peers_begin(&state->peers);
	if (!dump(state, fault)) {
		start_anew(state);
		return false;
	}
	peers_end(&state->peers);
	state->looked = state->peers.count ? 0 : now;
	peers_put(&state->peers, sink);
	return true;
}

static void peers_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	start_anew(state);
	buffer_fini(&state->request);
	peers_fini(&state->peers);
	free(state);
}

static bool peers_open(void **memory, const struct source_env *env, struct fault *fault)
{
	struct state *state;
	int fd;

	(void)env;
	*memory = NULL;
	if (!open_netlink(&fd, fault))
		return false;
	state = xalloc(sizeof *state);
	state->fd = fd;
	diag_request(&state->request, peer_ports, PEER_PORTS);
	*memory = state;
	return true;
}

const struct source source_peers = {
	.name = "peers",
	.about = "kernel's TCP sockets: bytes, retransmissions, RTT per storage peer",
	.may_block = true,
	.open = peers_open,
	.read = peers_read,
	.close = peers_close,
};
