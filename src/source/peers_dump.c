/*
 * The source of storage peers: asks the kernel for its TCP sockets, those of NFS,
 * iSCSI and SMB inside the kernel among them. Needs no privilege; sees the network
 * namespace that weir runs in. The kernel takes each socket's lock for it and may
 * wait for that, so this source has a thread of its own.
 */
#include "config.h"

#include "base/alloc.h"
#include "source/ended.h"
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
	int ended; /* tells sockets that ended, once there was a peer; or -1 */
	bool asked_for_ends;
	nsec looked; /* monotonic: the last look */
	struct peers peers;
	uint8_t answer[ANSWER];
};

/* The kernel's ticks and ours are not the same. */
static const nsec margin = 20 * NSEC_PER_MSEC;

struct ending {
	struct state *state;
	nsec since;
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

static void take_one(void *context, const struct diag_socket *socket)
{
	struct ending *ending = context;

	peers_ended(&ending->state->peers, socket, ending->since);
}

/* Whoever listens makes the end of every socket of the host a little dearer: not where
 * there is no storage. */
static void take_ended(struct state *state, nsec now)
{
	struct ending ending = {state, now - state->looked + margin};

	if (state->peers.count && !state->asked_for_ends) {
		state->ended = ended_open(&state->peers.ports);
		state->asked_for_ends = true;
	}
	if (state->ended >= 0)
		ended_read(state->ended, take_one, &ending);
}

static bool peers_read(void *memory, struct sink *sink, nsec now, struct fault *fault)
{
	struct state *state = memory;

	if (state->looked && !state->peers.count && now - state->looked < rest &&
		!sink_is_marked(sink))
		return true;
	if (state->fd < 0 && !open_netlink(&state->fd, fault))
		return false;
	peers_begin(&state->peers);
	take_ended(state, now);
	if (!dump(state, fault)) {
		start_anew(state);
		return false;
	}
	peers_end(&state->peers);
	state->looked = now;
	peers_put(&state->peers, sink);
	return true;
}

static void peers_close(void *memory)
{
	struct state *state = memory;

	if (!state)
		return;
	start_anew(state);
	if (state->ended >= 0)
		(void)close(state->ended); /* nothing was written */
	buffer_fini(&state->request);
	peers_fini(&state->peers);
	free(state);
}

static bool peers_open(void **memory, const struct source_env *env, struct fault *fault)
{
	const struct selection *selection = env->selection;
	struct state *state;
	struct ports ports;
	int fd;

	*memory = NULL;
	if (!ports_set(&ports, selection ? selection->ports : NULL, fault) ||
		!open_netlink(&fd, fault))
		return false;
	state = xalloc(sizeof *state);
	state->fd = fd;
	state->ended = -1;
	diag_request(&state->request, ports.list, ports.count);
	state->peers.ports = ports;
	*memory = state;
	return true;
}

const struct source source_peers = {
	.name = "peers",
	.about = "kernel's TCP sockets: bytes, retransmissions, RTT per storage peer",
	.none = "no TCP connection to or from a port of storage is in this network "
		"namespace",
	.may_block = true,
	.open = peers_open,
	.read = peers_read,
	.close = peers_close,
};
