/* The class table, unfolded from its rows; see the header. */
#include "config.h"

#include "packet/class.h"
#include "packet/class_id.h"

#include <string.h>

#define CLASS(name, id, title, layer, group, sense, means, todo, harmless)             \
	{id, title, layer, GROUP_##group, CLASS_##sense, means, todo, harmless},
#define CHECKSUM(name, id, title)                                                      \
	{id ".cksum", title " checksum bad", id, GROUP_CHECKSUM, CLASS_BAD,            \
		"The " title " checksum does not match the bytes.",                    \
		"Look for a damaged path: card, cable, switch port, memory.",          \
		"None known: sums left to the card are counted as offloaded."},        \
		{id ".cksum.good", title " checksum good", id, GROUP_CHECKSUM,         \
			CLASS_JUDGED, "The " title " checksum matches the bytes.",     \
			"Nothing.", "This is how it should be."},                      \
		{id ".cksum.offloaded", title " sum by the card", id, GROUP_CHECKSUM,  \
			CLASS_UNSURE,                                                  \
			"The " title                                                   \
			" checksum was left for the card to fill in: not "             \
			"judgeable here.",                                             \
			"Capture at the other end, or turn transmit checksum offload " \
			"off.",                                                        \
			"Normal on the host that sends, and inside virtual "           \
			"machines."},                                                  \
		{id ".cksum.unjudged", title " sum not judged", id, GROUP_CHECKSUM,    \
			CLASS_UNSURE,                                                  \
			"The " title                                                   \
			" checksum cannot be judged: none was sent, or the packet "    \
			"is cut or a fragment.",                                       \
			"Capture whole frames.", "Says nothing either way."},
const struct class_info packet_classes[] = {
#include "packet/class_network.def"
};
#undef CLASS
#undef CHECKSUM

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
