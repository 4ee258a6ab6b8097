/* Queueing of outgoing packets, from the kernel's table (rtnetlink, RTM_GETQDISC); see
 * the header. */
#include "config.h"

#include "source/config_parts.h"

#include "base/text.h"
#include "core/fact.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int qdisc_open(void)
{
	return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
}

void qdisc_close(int fd)
{
	if (fd >= 0)
		(void)close(fd); /* only questions went through it */
}

struct found {
	int index;
	char root[32], below[32]; /* kinds: of the root, and of what hangs below it */
};

static void take_kind(struct found *found, const struct nlmsghdr *message)
{
	const struct tcmsg *tc = NLMSG_DATA(message);
	char *kind = tc->tcm_parent == TC_H_ROOT ? found->root : found->below;
	size_t left = NLMSG_PAYLOAD(message, sizeof *tc);
	const char *at = (const char *)tc + NLMSG_ALIGN(sizeof *tc);
	struct rtattr attr;

	if (tc->tcm_ifindex != found->index)
		return;
	while (left >= sizeof attr) {
		size_t step;

		memcpy(&attr, at, sizeof attr);
		if (attr.rta_len < sizeof attr || attr.rta_len > left)
			return;
		if (attr.rta_type == TCA_KIND)
			(void)text_format(kind, sizeof found->root, "%.*s",
				(int)(attr.rta_len - sizeof attr), at + sizeof attr);
		step = RTA_ALIGN(attr.rta_len);
		if (step > left)
			return;
		at += step;
		left -= step;
	}
}

static bool ask(int fd)
{
	struct {
		struct nlmsghdr header;
		struct tcmsg tc;
	} request = {.header = {.nlmsg_len = sizeof request,
			     .nlmsg_type = RTM_GETQDISC,
			     .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP}};

	return send(fd, &request, sizeof request, 0) == sizeof request;
}

/* Takes one answer; false at the end or after an error. */
static bool take_answer(int fd, struct found *found)
{
	static _Alignas(struct nlmsghdr) char bytes[32768];
	ssize_t got = recv(fd, bytes, sizeof bytes, 0);
	size_t left = got > 0 ? (size_t)got : 0;

	if (!left)
		return got < 0 && errno == EINTR;
	for (const struct nlmsghdr *message = (const struct nlmsghdr *)bytes;
		NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
		if (message->nlmsg_type == NLMSG_DONE ||
			message->nlmsg_type == NLMSG_ERROR)
			return false;
		if (message->nlmsg_type == RTM_NEWQDISC)
			take_kind(found, message);
	}
	return true;
}

void qdisc_fact(
	int fd, const char *name, struct sink *sink, const struct subject *subject)
{
	struct found found = {.index = (int)if_nametoindex(name)};
	char text[80];

	if (!found.index || !ask(fd))
		return; /* the interface has gone meanwhile */
	while (take_answer(fd, &found))
		;
	(void)text_format(text, sizeof text, "%s%s%s", found.root,
		*found.below ? " over " : "", found.below); /* fits */
	sink_fact(sink, subject, "qdisc", *found.root ? text : NULL,
		*found.root ? WHY_NONE : WHY_UNSUPPORTED);
}
