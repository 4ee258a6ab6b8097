/* Asking the kernel for our own addresses, before the cage; see own.h. */
#include "config.h"

#include "capture/own.h"

#include "base/text.h"

#include <dirent.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	STACK_DEPTH = 4 /* VLAN on a bridge on a bond on a card */
};

/* ADDRESS is what getifaddrs gives, of whatever family. */
static void add(struct own *own, const struct sockaddr *address)
{
	uint8_t mapped[OWN_IP] = {[10] = 0xff, [11] = 0xff};
	struct sockaddr_ll link;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (address->sa_family == AF_PACKET) {
		memcpy(&link, address, sizeof link);
		if (link.sll_halen == OWN_MAC)
			own_add_mac(own, link.sll_addr);
	} else if (address->sa_family == AF_INET) {
		memcpy(&in, address, sizeof in);
		memcpy(mapped + 12, &in.sin_addr, 4);
		own_add_ip(own, mapped);
	} else if (address->sa_family == AF_INET6) {
		memcpy(&in6, address, sizeof in6);
		own_add_ip(own, in6.sin6_addr.s6_addr);
	}
}

static void add_all(struct own *own, const struct ifaddrs *all, const char *interface)
{
	for (const struct ifaddrs *one = all; one; one = one->ifa_next)
		if (one->ifa_addr && !strcmp(one->ifa_name, interface))
			add(own, one->ifa_addr);
}

/* An interface and then those that /sys links as stacked on it. */
static void add_stack(struct own *own, const struct ifaddrs *all, const char *interface,
	unsigned depth)
{
	char path[64 + IF_NAMESIZE];
	const struct dirent *entry;
	DIR *folder;

	add_all(own, all, interface);
	if (!depth || !text_format(path, sizeof path, "/sys/class/net/%s", interface))
		return;
	folder = opendir(path);
	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (!strncmp(entry->d_name, "upper_", 6))
			add_stack(own, all, entry->d_name + 6, depth - 1);
	(void)closedir(folder); /* only read */
}

void own_read(struct own *own, const char *interface)
{
	char path[64 + IF_NAMESIZE];
	struct ifaddrs *all;

	*own = (struct own){0};
	if (text_format(path, sizeof path, "/sys/class/net/%s/brport", interface))
		own->bridge_port = access(path, F_OK) == 0;
	if (getifaddrs(&all))
		return;
	add_stack(own, all, interface, STACK_DEPTH);
	freeifaddrs(all);
}
