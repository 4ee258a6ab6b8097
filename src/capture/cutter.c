/* Composing the socket filter; see the header. */
#include "config.h"

#include "capture/cutter.h"

#include <linux/if_packet.h>

enum {
	HEAD = 3
};

/* Jumps are relative, so a program may be copied anywhere. */
static void copy(const struct sock_filter *program, size_t count, unsigned most,
	struct sock_filter *to)
{
	for (size_t i = 0; i < count; i++) {
		to[i] = program[i];
		if (BPF_CLASS(to[i].code) == BPF_RET && BPF_RVAL(to[i].code) == BPF_K &&
			to[i].k > most)
			to[i].k = most;
	}
}

size_t cutter_compose(const struct sock_filter *program, size_t count, unsigned sent,
	unsigned other, struct sock_filter *to)
{
	const struct sock_filter head[HEAD] = {
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS,
			(unsigned)(SKF_AD_OFF + SKF_AD_PKTTYPE)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_OUTGOING, 1, 0),
		BPF_STMT(BPF_JMP | BPF_JA, (unsigned)count),
	};

	if (HEAD + 2 * count > CUTTER_ROOM)
		return 0;
	for (size_t i = 0; i < HEAD; i++)
		to[i] = head[i];
	copy(program, count, sent, to + HEAD);
	copy(program, count, other, to + HEAD + count);
	return HEAD + 2 * count;
}
