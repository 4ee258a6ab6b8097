/* Looking at a capture filter; see the header. */
#include "config.h"

#include "app/filter.h"

#include "base/alloc.h"
#include "base/text.h"

#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

enum {
	SNAP = 65535
};

/* WHY may be null. */
static bool compiles(const char *expression, int type, char *why, size_t size)
{
	pcap_t *pcap = pcap_open_dead(type, SNAP);
	struct bpf_program program;
	bool good;

	if (!pcap)
		return true; /* no memory: the helper will say it */
	good = pcap_compile(pcap, &program, expression, 1, PCAP_NETMASK_UNKNOWN) == 0;
	if (good)
		pcap_freecode(&program);
	else if (why)
		(void)text_clean(why, size, pcap_geterr(pcap)); /* cut is fine */
	pcap_close(pcap);
	return good;
}

/* The longest beginning of whole words that is a filter: the trouble is behind it. */
static size_t understood(const char *expression)
{
	char *part = xstrdup(expression);
	size_t length = strlen(part);

	while (length) {
		while (length && part[length - 1] != ' ')
			length--;
		while (length && part[length - 1] == ' ')
			length--;
		part[length] = 0;
		if (length && compiles(part, DLT_EN10MB, NULL, 0))
			break;
	}
	free(part);
	return length;
}

/* Some words exist on one kind of link only; the helper knows which one it has. */
bool filter_check(const char *expression, struct fault *fault)
{
	char why[120];
	size_t good;

	if (compiles(expression, DLT_EN10MB, why, sizeof why) ||
		compiles(expression, DLT_RAW, NULL, 0))
		return true;
	good = understood(expression);
	while (expression[good] == ' ')
		good++;
	return fault_set(fault,
		"-f '%.80s' is no filter: from '%.40s' on: %s (see "
		"pcap-filter(7))",
		expression, expression + good, why);
}
