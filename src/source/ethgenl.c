/* The bytes of ethtool's netlink; see the header. Attributes are a length, a type and
 * a value, padded to four; nested ones hold others. */
#include "config.h"

#include "source/ethgenl.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>

enum {
	ALIGN = 4,
	HEAD = sizeof(struct nlmsghdr) + sizeof(struct genlmsghdr),
	GROUPS = 4,
};

/* Where each standard counter stands. */
static const struct {
	uint8_t group, stat, which;
} places[] = {
	{ETHTOOL_STATS_ETH_PHY, ETHTOOL_A_STATS_ETH_PHY_5_SYM_ERR, HARDWARE_SYMBOL},
	{ETHTOOL_STATS_ETH_MAC, ETHTOOL_A_STATS_ETH_MAC_6_FCS_ERR, HARDWARE_FCS},
	{ETHTOOL_STATS_ETH_MAC, ETHTOOL_A_STATS_ETH_MAC_7_ALIGN_ERR,
		HARDWARE_ALIGNMENT},
	{ETHTOOL_STATS_ETH_MAC, ETHTOOL_A_STATS_ETH_MAC_10_LATE_COL,
		HARDWARE_LATE_COLLISION},
	{ETHTOOL_STATS_ETH_MAC, ETHTOOL_A_STATS_ETH_MAC_12_TX_INT_ERR,
		HARDWARE_TX_INTERNAL},
	{ETHTOOL_STATS_ETH_MAC, ETHTOOL_A_STATS_ETH_MAC_13_CS_ERR,
		HARDWARE_CARRIER_SENSE},
	{ETHTOOL_STATS_ETH_MAC, ETHTOOL_A_STATS_ETH_MAC_15_RX_INT_ERR,
		HARDWARE_RX_INTERNAL},
	{ETHTOOL_STATS_ETH_MAC, ETHTOOL_A_STATS_ETH_MAC_23_IR_LEN_ERR, HARDWARE_LENGTH},
	{ETHTOOL_STATS_ETH_MAC, ETHTOOL_A_STATS_ETH_MAC_24_OOR_LEN,
		HARDWARE_OUT_OF_RANGE},
	{ETHTOOL_STATS_ETH_MAC, ETHTOOL_A_STATS_ETH_MAC_25_TOO_LONG_ERR,
		HARDWARE_TOO_LONG},
	{ETHTOOL_STATS_ETH_CTRL, ETHTOOL_A_STATS_ETH_CTRL_5_RX_UNSUP, HARDWARE_CONTROL},
	{ETHTOOL_STATS_RMON, ETHTOOL_A_STATS_RMON_UNDERSIZE, HARDWARE_UNDERSIZE},
	{ETHTOOL_STATS_RMON, ETHTOOL_A_STATS_RMON_OVERSIZE, HARDWARE_OVERSIZE},
	{ETHTOOL_STATS_RMON, ETHTOOL_A_STATS_RMON_FRAG, HARDWARE_FRAGMENTS},
	{ETHTOOL_STATS_RMON, ETHTOOL_A_STATS_RMON_JABBER, HARDWARE_JABBERS},
};

/* ---- requests ---- */

static size_t aligned(size_t size)
{
	return (size + ALIGN - 1) / ALIGN * ALIGN;
}

static void add(struct buffer *out, uint16_t type, const void *value, size_t size)
{
	struct nlattr head = {
		.nla_type = type, .nla_len = (uint16_t)(sizeof head + size)};
	static const uint8_t padding[ALIGN];

	buffer_add(out, &head, sizeof head);
	if (size)
		buffer_add(out, value, size);
	buffer_add(out, padding, aligned(size) - size);
}

/* What was added since FROM becomes the inside of an attribute of TYPE. */
static void nest(struct buffer *out, uint16_t type, const struct buffer *inside)
{
	add(out, type | NLA_F_NESTED, inside->data, inside->size);
}

static void add_groups(struct buffer *out, struct buffer *inside)
{
	uint32_t size = GROUPS;
	uint32_t all = 1U << ETHTOOL_STATS_ETH_PHY | 1U << ETHTOOL_STATS_ETH_MAC |
		       1U << ETHTOOL_STATS_ETH_CTRL | 1U << ETHTOOL_STATS_RMON;

	buffer_clear(inside);
	add(inside, ETHTOOL_A_BITSET_NOMASK, NULL, 0);
	add(inside, ETHTOOL_A_BITSET_SIZE, &size, sizeof size);
	add(inside, ETHTOOL_A_BITSET_VALUE, &all, sizeof all);
	nest(out, ETHTOOL_A_STATS_GROUPS, inside);
}

void ethgenl_request(struct buffer *out, enum hardware_request request, uint16_t family,
	const char *name)
{
	bool groups = request == HARDWARE_GROUPS;
	struct genlmsghdr command = {.version = ETHTOOL_GENL_VERSION,
		.cmd = groups ? ETHTOOL_MSG_STATS_GET : ETHTOOL_MSG_PAUSE_GET};
	struct nlmsghdr head = {.nlmsg_type = family, .nlmsg_flags = NLM_F_REQUEST};
	uint32_t flags = ETHTOOL_FLAG_STATS;
	struct buffer inside = {0};
	size_t from = out->size;

	buffer_add(out, &head, sizeof head);
	buffer_add(out, &command, sizeof command);
	add(&inside, ETHTOOL_A_HEADER_DEV_NAME, name, strlen(name) + 1);
	if (!groups)
		add(&inside, ETHTOOL_A_HEADER_FLAGS, &flags, sizeof flags);
	nest(out, groups ? ETHTOOL_A_STATS_HEADER : ETHTOOL_A_PAUSE_HEADER, &inside);
	if (groups)
		add_groups(out, &inside);
	head.nlmsg_len = (uint32_t)(out->size - from);
	memcpy(out->data + from, &head, sizeof head);
	buffer_fini(&inside);
}

/* ---- answers ---- */

/* The attributes that are left. */
struct walk {
	const uint8_t *at;
	size_t left;
};

struct attribute {
	uint16_t type;
	struct walk inside;
};

static bool next(struct walk *walk, struct attribute *attribute)
{
	struct nlattr head;
	size_t whole;

	if (walk->left < sizeof head)
		return false;
	memcpy(&head, walk->at, sizeof head);
	if (head.nla_len < sizeof head || head.nla_len > walk->left)
		return false;
	attribute->type = (uint16_t)(head.nla_type & (unsigned)NLA_TYPE_MASK);
	attribute->inside =
		(struct walk){walk->at + sizeof head, head.nla_len - sizeof head};
	whole = aligned(head.nla_len) < walk->left ? aligned(head.nla_len) : walk->left;
	walk->at += whole;
	walk->left -= whole;
	return true;
}

static uint64_t number(const struct walk *inside)
{
	uint64_t wide = 0;
	uint32_t narrow = 0;
	uint16_t half = 0;

	if (inside->left == sizeof half) {
		memcpy(&half, inside->at, sizeof half);
		return half;
	}
	if (inside->left == sizeof narrow) {
		memcpy(&narrow, inside->at, sizeof narrow);
		return narrow;
	}
	if (inside->left >= sizeof wide)
		memcpy(&wide, inside->at, sizeof wide);
	return wide;
}

static void put(
	struct hardware_counts *counts, enum hardware which, const struct walk *inside)
{
	counts->have |= UINT32_C(1) << which;
	counts->values[which] = number(inside);
}

static void take_stat(
	struct hardware_counts *counts, uint64_t group, const struct attribute *stat)
{
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (places[i].group == group && places[i].stat == stat->type)
			put(counts, places[i].which, &stat->inside);
}

/* The number of the group stands before its counters. */
static void take_group(struct hardware_counts *counts, struct walk walk)
{
	uint64_t group = UINT64_MAX;
	struct attribute one, stat;

	while (next(&walk, &one))
		if (one.type == ETHTOOL_A_STATS_GRP_ID)
			group = number(&one.inside);
		else if (one.type == ETHTOOL_A_STATS_GRP_STAT)
			while (next(&one.inside, &stat))
				take_stat(counts, group, &stat);
}

static void take_pause(struct hardware_counts *counts, struct walk walk)
{
	struct attribute one;

	while (next(&walk, &one))
		if (one.type == ETHTOOL_A_PAUSE_STAT_TX_FRAMES)
			put(counts, HARDWARE_TX_PAUSE, &one.inside);
		else if (one.type == ETHTOOL_A_PAUSE_STAT_RX_FRAMES)
			put(counts, HARDWARE_RX_PAUSE, &one.inside);
}

/* The attributes of one whole message; *COMMAND is what it says. False, with *ERROR,
 * where it is an error or no message. */
static bool open_message(const uint8_t *data, size_t size, struct walk *walk,
	unsigned *command, int *error)
{
	struct nlmsghdr head;
	struct genlmsghdr inner;
	int32_t code = 0;

	*error = EBADMSG;
	if (size < HEAD)
		return false;
	memcpy(&head, data, sizeof head);
	memcpy(&inner, data + sizeof head, sizeof inner);
	memcpy(&code, data + sizeof head, sizeof code);
	if (head.nlmsg_len < HEAD || head.nlmsg_len > size)
		return false;
	if (head.nlmsg_type == NLMSG_ERROR) {
		*error = code < 0 && code > -4096 ? -code : EBADMSG;
		return false;
	}
	*error = 0;
	*command = inner.cmd;
	*walk = (struct walk){data + HEAD, head.nlmsg_len - HEAD};
	return true;
}

bool ethgenl_take(
	struct hardware_counts *counts, const uint8_t *data, size_t size, int *error)
{
	struct attribute one;
	struct walk walk;
	unsigned command;

	if (!open_message(data, size, &walk, &command, error))
		return false;
	while (next(&walk, &one))
		if (command == ETHTOOL_MSG_STATS_GET_REPLY &&
			one.type == ETHTOOL_A_STATS_GRP)
			take_group(counts, one.inside);
		else if (command == ETHTOOL_MSG_PAUSE_GET_REPLY &&
			 one.type == ETHTOOL_A_PAUSE_STATS)
			take_pause(counts, one.inside);
	return command == ETHTOOL_MSG_STATS_GET_REPLY ||
	       command == ETHTOOL_MSG_PAUSE_GET_REPLY;
}

uint16_t ethgenl_family(const uint8_t *data, size_t size)
{
	struct attribute one;
	struct walk walk;
	unsigned command;
	int error;

	if (!open_message(data, size, &walk, &command, &error))
		return 0;
	while (next(&walk, &one))
		if (one.type == CTRL_ATTR_FAMILY_ID)
			return (uint16_t)number(&one.inside);
	return 0;
}
