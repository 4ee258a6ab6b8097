/* Questions to the "ethtool" family; see the header. The kernel answers while it is
 * asked: nothing is waited for. */
#include "config.h"

#include "source/ethgenl.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static ssize_t ask(struct ethgenl *genl)
{
	struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	ssize_t got;

	if (sendto(genl->fd, genl->request.data, genl->request.size, 0,
		    (const struct sockaddr *)&kernel, sizeof kernel) < 0)
		return -1;
	do
		got = recv(genl->fd, genl->answer, sizeof genl->answer, MSG_DONTWAIT);
	while (got < 0 && errno == EINTR);
	return got;
}

static bool find_family(struct ethgenl *genl)
{
	static const char name[] = ETHTOOL_GENL_NAME;
	struct genlmsghdr command = {.cmd = CTRL_CMD_GETFAMILY, .version = 1};
	struct nlattr attribute = {.nla_type = CTRL_ATTR_FAMILY_NAME,
		.nla_len = sizeof attribute + sizeof name};
	struct nlmsghdr head = {.nlmsg_type = GENL_ID_CTRL,
		.nlmsg_flags = NLM_F_REQUEST,
		.nlmsg_len =
			sizeof head + sizeof command + sizeof attribute + sizeof name};
	ssize_t got;

	buffer_add(&genl->request, &head, sizeof head);
	buffer_add(&genl->request, &command, sizeof command);
	buffer_add(&genl->request, &attribute, sizeof attribute);
	buffer_add(&genl->request, name, sizeof name);
	got = ask(genl);
	genl->family = got > 0 ? ethgenl_family(genl->answer, (size_t)got) : 0;
	return genl->family != 0;
}

bool ethgenl_open(struct ethgenl *genl, struct fault *fault)
{
	*genl = (struct ethgenl){.family = 0};
	genl->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (genl->fd < 0)
		return fault_errno(fault, errno, "NETLINK_GENERIC");
	if (find_family(genl))
		return true;
	ethgenl_close(genl);
	return fault_set(fault, "this kernel has no ethtool netlink (5.6 or later)");
}

void ethgenl_close(struct ethgenl *genl)
{
	buffer_fini(&genl->request);
	if (genl->fd >= 0)
		(void)close(genl->fd); /* nothing was written */
	genl->fd = -1;
}

int ethgenl_read(struct ethgenl *genl, const char *name, struct hardware_counts *counts)
{
	int last = 0;

	counts->have = 0;
	for (int i = 0; i < HARDWARE_REQUESTS; i++) {
		ssize_t got;
		int error;

		buffer_clear(&genl->request);
		ethgenl_request(
			&genl->request, (enum hardware_request)i, genl->family, name);
		got = ask(genl);
		if (got < 0)
			last = errno;
		else if (!ethgenl_take(counts, genl->answer, (size_t)got, &error))
			last = error;
	}
	return last;
}
