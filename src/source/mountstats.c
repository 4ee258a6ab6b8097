/*
 * The text of /proc/self/mountstats; see the header. A mount is a "device" line and
 * the indented lines behind it. Kernels only ever appended: a ninth column of errors
 * to the procedures (5.3), three more to each xprt: line (3.x), one such line per
 * connection (nconnect). So columns are found by place and more of them are no
 * fault.
 */
#include "config.h"

#include "source/mountstats.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
	PATH = 512,
	CALL_LEAST = NFS_ERRORS,
	LINK_COLUMNS = 13,
};

/* Where an xprt: line has its figures, by transport; -1: nowhere. What follows the
 * sends is the same for all, but that RDMA goes on with figures of its own. */
static const struct transport {
	const char *name;
	int port, connects, sends, last;
} transports[] = {
	{"tcp", 0, 2, 5, LINK_SENDING},
	{"rdma", 0, 2, 5, LINK_BACKLOG},
	{"udp", 0, -1, 2, LINK_SENDING},
	{"local", -1, 1, 4, LINK_SENDING},
};

/* Options that change how a mount performs or fails. */
static const char *const telling[] = {"vers=", "proto=", "nconnect=", "hard", "soft",
	"softerr", "rsize=", "wsize=", "timeo=", "retrans=", "sec=", "sync"};

/* "device EXPORT mounted on POINT with fstype nfs4 statvers=1.1" */
static bool is_device(const char *line, struct subject *subject)
{
	char export[PATH], point[PATH], type[16];

	if (!scan_exact(&line, "device") || !scan_word(&line, export, sizeof export) ||
		!scan_exact(&line, "mounted") || !scan_exact(&line, "on") ||
		!scan_word(&line, point, sizeof point) || !scan_exact(&line, "with") ||
		!scan_exact(&line, "fstype") || !scan_word(&line, type, sizeof type) ||
		(strcmp(type, "nfs") && strcmp(type, "nfs4")))
		return false;
	scan_unescape(export);
	scan_unescape(point);
	*subject = (struct subject){.kind = KIND_MOUNT};
	/* long ones are cut: the id tells them apart */
	(void)text_clean(subject->name, sizeof subject->name, export);
	(void)text_clean(subject->label, sizeof subject->label, point);
	(void)text_clean(subject->id, sizeof subject->id, point);
	return true;
}

static bool is_telling(const char *option)
{
	for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
		size_t length = strlen(telling[i]);

		if (!strncmp(option, telling[i], length) &&
			(telling[i][length - 1] == '=' || !option[length]))
			return true;
	}
	return false;
}

static void take_options(struct subject *subject, char *options)
{
	char *next;

	subject->detail[0] = 0;
	for (; options; options = next) {
		size_t used = strlen(subject->detail);
		char clean[64];

		next = strchr(options, ',');
		if (next)
			*next++ = 0;
		(void)text_clean(clean, sizeof clean, options);
		if (is_telling(clean) &&
			used + strlen(clean) + 2 < sizeof subject->detail)
			(void)text_format(subject->detail + used,
				sizeof subject->detail - used, "%s%s", used ? "," : "",
				clean); /* it was measured */
	}
}

/* Takes up to MOST numbers; how many there were. */
static int numbers(const char *at, uint64_t *values, int most)
{
	int count = 0;
	int64_t signed_one; /* the idle time of a connection may be negative */

	while (count < most) {
		if (!scan_u64(&at, &values[count])) {
			if (!scan_i64(&at, &signed_one))
				return count;
			values[count] = 0;
		}
		count++;
	}
	return count;
}

/* "RPC iostats version: 1.1  p/v: 100003/4 (nfs)" */
static void take_version(struct nfs_mount *mount, const char *at)
{
	const char *mark = strstr(at, "p/v: ");
	char version[sizeof mount->version];

	if (mark &&
		(mark += strlen("p/v: "), scan_word(&mark, version, sizeof version)))
		(void)text_clean(mount->version, sizeof mount->version, version);
}

static void take_bytes(struct nfs_mount *mount, const char *at)
{
	uint64_t values[6];

	mount->have_bytes = numbers(at, values, 6) == 6;
	if (!mount->have_bytes)
		return;
	mount->read_bytes = values[4];
	mount->write_bytes = values[5];
}

static const struct transport *transport_of(const char *name)
{
	for (size_t i = 0; i < sizeof transports / sizeof *transports; i++)
		if (!strcmp(transports[i].name, name))
			return &transports[i];
	return NULL;
}

static void put_link(struct nfs_link *link, enum nfs_link_value value, uint64_t number)
{
	link->have |= 1U << value;
	link->values[value] = number;
}

static void add_link(struct nfs_mount *mount, const struct nfs_link *link)
{
	xgrow(&mount->links, &mount->link_room, mount->link_count + 1,
		sizeof *mount->links);
	mount->links[mount->link_count++] = *link;
	mount->have_traffic = true;
	mount->sends += link->values[LINK_SENDS];
	mount->receives += link->values[LINK_RECEIVES];
	mount->late += link->values[LINK_LATE];
	mount->connects += link->values[LINK_CONNECTS];
	mount->datagrams |= !strcmp(link->transport, "udp");
}

static void take_link(struct nfs_mount *mount, const char *at)
{
	const struct transport *transport;
	struct nfs_link link = {.have = 0};
	uint64_t values[LINK_COLUMNS];
	int count;

	if (!scan_word(&at, link.transport, sizeof link.transport))
		return;
	transport = transport_of(link.transport);
	count = numbers(at, values, LINK_COLUMNS);
	if (!transport || count < transport->sends + 2)
		return;
	if (transport->port >= 0)
		link.port = values[transport->port];
	if (transport->connects >= 0)
		put_link(&link, LINK_CONNECTS, values[transport->connects]);
	for (int i = LINK_SENDS; i <= transport->last; i++) {
		int column = transport->sends + i - LINK_SENDS;

		if (column < count)
			put_link(&link, (enum nfs_link_value)i, values[column]);
	}
	add_link(mount, &link);
}

static enum nfs_group group_of(const char *name)
{
	if (!strcmp(name, "READ"))
		return NFS_READ;
	return strcmp(name, "WRITE") ? NFS_OTHER : NFS_WRITE;
}

uint64_t mountstats_again(const struct nfs_call *call)
{
	const uint64_t *values = call->values;

	return values[NFS_TRANSMISSIONS] > values[NFS_COUNT]
		       ? values[NFS_TRANSMISSIONS] - values[NFS_COUNT]
		       : 0;
}

static void add_call(struct nfs_mount *mount, const struct nfs_call *call)
{
	struct nfs_ops *ops = &mount->ops[group_of(call->name)];

	xgrow(&mount->calls, &mount->call_room, mount->call_count + 1,
		sizeof *mount->calls);
	mount->calls[mount->call_count++] = *call;
	mount->have_errors = call->columns == NFS_COLUMNS &&
			     (mount->have_errors || !mount->have_ops);
	mount->have_ops = true;
	mount->lacks = mount->have_errors ? 0 : 1U << NFS_ERRORS;
	ops->count += call->values[NFS_COUNT];
	ops->rtt_ms += call->values[NFS_RTT_MS];
	ops->execute_ms += call->values[NFS_EXECUTE_MS];
	mount->retransmissions += mountstats_again(call);
	mount->timeouts += call->values[NFS_TIMEOUTS];
	mount->errors += call->values[NFS_ERRORS];
}

/* Others than lines of procedures are left out. */
static void take_call(struct nfs_mount *mount, char *name, const char *at)
{
	struct nfs_call call = {.columns = 0};
	size_t length = strlen(name);

	call.columns = (unsigned)numbers(at, call.values, NFS_COLUMNS);
	if (call.columns < CALL_LEAST || length < 2 || name[length - 1] != ':')
		return;
	name[length - 1] = 0;
	/* a cut name is still its beginning */
	(void)text_clean(call.name, sizeof call.name, name);
	add_call(mount, &call);
}

static void take_line(struct nfs_mount *mount, char *line, bool *procedures)
{
	const char *at = line;
	char word[64];

	if (!scan_word(&at, word, sizeof word))
		return;
	if (*procedures)
		take_call(mount, word, at);
	else if (!strcmp(word, "per-op"))
		*procedures = true;
	else if (!strcmp(word, "opts:"))
		take_options(&mount->subject, line + (at - line) + strspn(at, " \t"));
	else if (!strcmp(word, "bytes:"))
		take_bytes(mount, at);
	else if (!strcmp(word, "xprt:"))
		take_link(mount, at);
	else if (!strcmp(word, "RPC"))
		take_version(mount, at);
}

bool mountstats_next(char **at, struct nfs_mount *mount)
{
	bool found = false, procedures = false;
	char *line;

	*mount = (struct nfs_mount){.calls = mount->calls,
		.call_room = mount->call_room,
		.links = mount->links,
		.link_room = mount->link_room};
	while (*at && **at) {
		if (found && !strncmp(*at, "device ", 7))
			return true;
		line = scan_line(at);
		if (found)
			take_line(mount, line, &procedures);
		else
			found = is_device(line, &mount->subject);
	}
	return found;
}

/* TO gets as much of POINT as there is room for, and MARK whole. */
static void name_part(char *to, size_t size, const char *point, const char *mark)
{
	size_t room = size - strlen(mark);

	(void)text_copy(to, room, point); /* a cut path is still its beginning */
	(void)text_copy(to + strlen(to), size - strlen(to), mark); /* ROOM is for it */
}

struct subject mountstats_part(
	const struct subject *mount, enum kind kind, const char *mark)
{
	struct subject subject = {.kind = kind};

	name_part(subject.name, sizeof subject.name, mount->label, mark);
	name_part(subject.id, sizeof subject.id, mount->label, mark);
	return subject;
}

void mountstats_fini(struct nfs_mount *mount)
{
	free(mount->calls);
	free(mount->links);
	*mount = (struct nfs_mount){.calls = NULL};
}
