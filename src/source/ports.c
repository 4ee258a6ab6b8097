/* The ports of storage; see the header. */
#include "config.h"

#include "source/ports.h"

#include "base/scan.h"

static const struct {
	uint16_t port;
	const char *protocol;
} known[PORTS_KNOWN] = {
	{3260, "iSCSI"},
	{860, "iSCSI"},
	{2049, "NFS"},
	{445, "SMB"},
	{4420, "NVMe/TCP"},
};

static bool refuse(const char *list, const char *why, struct fault *fault)
{
	return fault_set(fault,
		"--ports '%s' %s: give TCP ports with commas, such as 3261,8445", list,
		why);
}

static bool add(
	struct ports *ports, const char *list, uint64_t port, struct fault *fault)
{
	if (!port || port > UINT16_MAX)
		return refuse(list, "has a number that is no port", fault);
	if (ports_find(ports, (uint16_t)port) >= 0)
		return true;
	if (ports->count == PORTS_MAX)
		return refuse(list, "names too many", fault);
	ports->list[ports->count++] = (uint16_t)port;
	return true;
}

bool ports_set(struct ports *ports, const char *more, struct fault *fault)
{
	const char *at = more;
	uint64_t port;

	for (ports->count = 0; ports->count < PORTS_KNOWN; ports->count++)
		ports->list[ports->count] = known[ports->count].port;
	while (at) {
		if (*at < '0' || *at > '9' || !scan_u64(&at, &port) ||
			(*at && *at != ','))
			return refuse(more, "is no list of ports", fault);
		if (!add(ports, more, port, fault))
			return false;
		at = *at ? at + 1 : NULL;
	}
	return true;
}

int ports_find(const struct ports *ports, uint16_t port)
{
	for (size_t i = 0; i < ports->count; i++)
		if (ports->list[i] == port)
			return (int)i;
	return -1;
}

const char *ports_protocol(size_t index)
{
	return index < PORTS_KNOWN ? known[index].protocol : "storage";
}
