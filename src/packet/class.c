/* The rows of the class table; see the header. */
#include "config.h"

#include "packet/class.h"

#include <string.h>

const struct class_info packet_classes[] = {
	{"ip4.cksum", "IPv4 checksum bad", "ip4", GROUP_CHECKSUM, CLASS_BAD,
		"The IPv4 header does not match its own checksum.",
		"Look for a damaged path: card, cable, switch port.",
		"Some systems leave this sum to the card when sending."},
};

const unsigned packet_class_count = sizeof packet_classes / sizeof *packet_classes;

const char *const packet_group_titles[GROUP_COUNT] = {
	[GROUP_CHECKSUM] = "checksums",
	[GROUP_HEADER] = "headers",
	[GROUP_TCP] = "TCP",
	[GROUP_ICMP] = "ICMP",
	[GROUP_FRAGMENT] = "fragments",
	[GROUP_STORAGE] = "storage",
	[GROUP_CAPTURE] = "capture",
};

const char *packet_direction_word(enum packet_direction direction)
{
	return direction == PACKET_RX ? "rx" : direction == PACKET_TX ? "tx" : "";
}

int packet_class_find(const char *id)
{
	for (unsigned i = 0; i < packet_class_count; i++)
		if (!strcmp(packet_classes[i].id, id))
			return (int)i;
	return -1;
}
