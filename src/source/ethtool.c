/* Questions to the drivers of interfaces; see the header. The layouts are those of
 * the kernel's linux/ethtool.h. */
#include "config.h"

#include "source/ethtool.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/fact.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	FEATURES_MOST = 512, /* a kernel of today has some 60 */
	WORDS = 32           /* numbers in the longest answer that is one of numbers */
};

static int ask_kernel(const struct ethtool *tool, const char *name, void *request)
{
	struct ifreq line = {.ifr_data = request};

	if (!text_copy(line.ifr_name, sizeof line.ifr_name, name))
		return ENODEV;
	return ioctl(tool->fd, SIOCETHTOOL, &line) < 0 ? errno : 0;
}

bool ethtool_open(struct ethtool *tool, struct fault *fault)
{
	tool->call = ask_kernel;
	tool->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return tool->fd >= 0 || fault_errno(fault, errno, "cannot make a socket");
}

void ethtool_close(struct ethtool *tool)
{
	if (tool->fd >= 0)
		(void)close(tool->fd); /* nothing went through it */
	tool->fd = -1;
}

enum why ethtool_why(int error)
{
	return error == EPERM || error == EACCES   ? WHY_DENIED
	       : error == ENODEV || error == ENXIO ? WHY_ABSENT
						   : WHY_UNSUPPORTED;
}

struct asking {
	const struct ethtool *tool;
	const char *name;
	struct sink *sink;
	const struct subject *subject;
};

static void put(
	const struct asking *asking, const char *key, const char *value, int error)
{
	enum why why = ethtool_why(error);

	if (error && why == WHY_ABSENT)
		return; /* the interface has gone meanwhile */
	sink_fact(asking->sink, asking->subject, key, error ? NULL : value, why);
}

/* ---- driver ---- */

static void put_driver(const struct asking *asking)
{
	struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};
	int error = asking->tool->call(asking->tool, asking->name, &info);
	const struct {
		const char *key;
		char *text;
		size_t size;
	} rows[] = {
		{"driver", info.driver, sizeof info.driver},
		{"driver.version", info.version, sizeof info.version},
		{"firmware", info.fw_version, sizeof info.fw_version},
		{"bus", info.bus_info, sizeof info.bus_info},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		rows[i].text[rows[i].size - 1] = 0;
		put(asking, rows[i].key, rows[i].text, error);
	}
}

/* ---- answers that are rows of numbers ---- */

struct number {
	uint32_t command;
	const char *key;
	uint8_t now, most; /* place of the number and of its limit; 0: no limit */
	bool truth;
};

#define PLACE(type, member) (offsetof(struct type, member) / sizeof(uint32_t))

/* Rows of one command stand together: it is asked once. */
static const struct number numbers[] = {
	{.command = ETHTOOL_GRINGPARAM,
		.key = "rings.rx",
		.now = PLACE(ethtool_ringparam, rx_pending),
		.most = PLACE(ethtool_ringparam, rx_max_pending)},
	{.command = ETHTOOL_GRINGPARAM,
		.key = "rings.tx",
		.now = PLACE(ethtool_ringparam, tx_pending),
		.most = PLACE(ethtool_ringparam, tx_max_pending)},
	{.command = ETHTOOL_GCHANNELS,
		.key = "channels.rx",
		.now = PLACE(ethtool_channels, rx_count),
		.most = PLACE(ethtool_channels, max_rx)},
	{.command = ETHTOOL_GCHANNELS,
		.key = "channels.tx",
		.now = PLACE(ethtool_channels, tx_count),
		.most = PLACE(ethtool_channels, max_tx)},
	{.command = ETHTOOL_GCHANNELS,
		.key = "channels.combined",
		.now = PLACE(ethtool_channels, combined_count),
		.most = PLACE(ethtool_channels, max_combined)},
	{.command = ETHTOOL_GCOALESCE,
		.key = "coalesce.adaptive-rx",
		.now = PLACE(ethtool_coalesce, use_adaptive_rx_coalesce),
		.truth = true},
	{.command = ETHTOOL_GCOALESCE,
		.key = "coalesce.adaptive-tx",
		.now = PLACE(ethtool_coalesce, use_adaptive_tx_coalesce),
		.truth = true},
	{.command = ETHTOOL_GCOALESCE,
		.key = "coalesce.rx-usecs",
		.now = PLACE(ethtool_coalesce, rx_coalesce_usecs)},
	{.command = ETHTOOL_GCOALESCE,
		.key = "coalesce.rx-frames",
		.now = PLACE(ethtool_coalesce, rx_max_coalesced_frames)},
	{.command = ETHTOOL_GCOALESCE,
		.key = "coalesce.tx-usecs",
		.now = PLACE(ethtool_coalesce, tx_coalesce_usecs)},
	{.command = ETHTOOL_GCOALESCE,
		.key = "coalesce.tx-frames",
		.now = PLACE(ethtool_coalesce, tx_max_coalesced_frames)},
	{.command = ETHTOOL_GPAUSEPARAM,
		.key = "pause.autoneg",
		.now = PLACE(ethtool_pauseparam, autoneg),
		.truth = true},
	{.command = ETHTOOL_GPAUSEPARAM,
		.key = "pause.rx",
		.now = PLACE(ethtool_pauseparam, rx_pause),
		.truth = true},
	{.command = ETHTOOL_GPAUSEPARAM,
		.key = "pause.tx",
		.now = PLACE(ethtool_pauseparam, tx_pause),
		.truth = true},
};

_Static_assert(sizeof(struct ethtool_coalesce) <= WORDS * sizeof(uint32_t),
	"the longest answer fits");

static void number_text(
	const struct number *number, const uint32_t *answer, char *text, size_t size)
{
	uint32_t now = answer[number->now];

	/* all short */
	if (number->truth)
		(void)text_copy(text, size, now ? "on" : "off");
	else if (number->most)
		(void)text_format(text, size, "%u of %u", now, answer[number->most]);
	else
		(void)text_format(text, size, "%u", now);
}

static void put_numbers(const struct asking *asking)
{
	uint32_t answer[WORDS] = {0};
	int error = 0;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const struct number *number = &numbers[i];
		char text[40];

		if (!i || number->command != numbers[i - 1].command) {
			memset(answer, 0, sizeof answer);
			answer[0] = number->command;
			error = asking->tool->call(asking->tool, asking->name, answer);
		}
		number_text(number, answer, text, sizeof text);
		put(asking, number->key, text, error);
	}
}

/* ---- offloads ---- */

static uint32_t feature_count(const struct asking *asking)
{
	struct ethtool_sset_info *info = xalloc(sizeof *info + sizeof *info->data);
	uint32_t count = 0;

	info->cmd = ETHTOOL_GSSET_INFO;
	info->sset_mask = UINT64_C(1) << ETH_SS_FEATURES;
	if (!asking->tool->call(asking->tool, asking->name, info) && info->sset_mask)
		count = info->data[0];
	free(info);
	return count < FEATURES_MOST ? count : FEATURES_MOST;
}

/* The effective state; a flag that nobody can change says so. */
static void put_feature(const struct asking *asking, const char *name,
	const struct ethtool_get_features_block *block, unsigned bit)
{
	uint32_t mask = UINT32_C(1) << bit;
	bool fixed = !(block->available & mask) || (block->never_changed & mask);
	char key[FACT_KEY], text[24];

	if (!*name)
		return; /* a bit without a meaning */
	/* both short */
	(void)text_format(key, sizeof key, "offload.%s", name);
	(void)text_format(text, sizeof text, "%s%s",
		block->active & mask ? "on" : "off", fixed ? " (fixed)" : "");
	put(asking, key, text, 0);
}

static void put_all_features(const struct asking *asking, uint32_t count,
	struct ethtool_gstrings *names, struct ethtool_gfeatures *features)
{
	for (uint32_t i = 0; i < count; i++) {
		char name[ETH_GSTRING_LEN + 1] = "";

		memcpy(name, names->data + (size_t)i * ETH_GSTRING_LEN,
			ETH_GSTRING_LEN);
		put_feature(asking, name, &features->features[i / 32], i % 32);
	}
}

static void put_features(const struct asking *asking)
{
	uint32_t count = feature_count(asking);
	uint32_t blocks = (count + 31) / 32;
	struct ethtool_gstrings *names =
		xalloc(sizeof *names + (size_t)count * ETH_GSTRING_LEN);
	struct ethtool_gfeatures *features =
		xalloc(sizeof *features + blocks * sizeof *features->features);
	bool good;

	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_FEATURES;
	names->len = count;
	features->cmd = ETHTOOL_GFEATURES;
	features->size = blocks;
	good = count && !asking->tool->call(asking->tool, asking->name, names) &&
	       !asking->tool->call(asking->tool, asking->name, features);
	if (good)
		put_all_features(asking, count, names, features);
	else
		put(asking, "offload", NULL, EOPNOTSUPP);
	free(names);
	free(features);
}

void ethtool_facts(const struct ethtool *tool, const char *name, struct sink *sink,
	const struct subject *subject)
{
	const struct asking asking = {tool, name, sink, subject};

	put_driver(&asking);
	put_features(&asking);
	put_numbers(&asking);
	ethtool_link_facts(tool, name, sink, subject);
}
