/*
 * The text of /proc/self/mountstats; see the header. A mount is a "device" line and
 * the indented lines behind it. Kernels only ever appended: a ninth column of errors
 * to the procedures (5.3), three more to each xprt: line (3.x), one such line per
 * connection (nconnect). So columns are found by place and more of them are no
 * fault.
 */
#include "config.h"

#include "source/mountstats.h"

#include "base/scan.h"
#include "base/text.h"

#include <string.h>

enum {
	PATH = 512,
	OP_COLUMNS = 9,
	OP_LEAST = 8, /* without errors */
	XPRT_COLUMNS = 10,
};

/* Columns of a procedure's line. */
enum {
	OP_COUNT,
	OP_TRANSMISSIONS,
	OP_TIMEOUTS,
	OP_SENT,
	OP_RECEIVED,
	OP_QUEUE,
	OP_RTT,
	OP_EXECUTE,
	OP_ERRORS,
};

/* Where an xprt: line has its figures, by transport. -1: it has none. */
static const struct transport {
	const char *name;
	int connects, sends, receives;
} transports[] = {
	{"tcp", 2, 5, 6},
	{"rdma", 2, 5, 6},
	{"udp", -1, 2, 3},
	{"local", 1, 4, 5},
};

/* Options that change how a mount performs or fails. */
static const char *const telling[] = {"vers=", "proto=", "nconnect=", "hard", "soft",
	"softerr", "rsize=", "wsize=", "timeo=", "retrans=", "sec=", "sync"};

void mountstats_unescape(char *text)
{
	char *to = text;

	for (; *text; to++) {
		unsigned value = 0;
		int digits = 0;

		while (*text == '\\' && digits < 3 && text[1 + digits] >= '0' &&
			text[1 + digits] <= '7')
			value = value * 8 + (unsigned)(text[1 + digits++] - '0');
		if (digits == 3 && value && value < 256) {
			*to = (char)value;
			text += 4;
		} else {
			*to = *text++;
		}
	}
	*to = 0;
}

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
	mountstats_unescape(export);
	mountstats_unescape(point);
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

static void take_bytes(struct nfs_mount *mount, const char *at)
{
	uint64_t values[6];

	mount->have_bytes = numbers(at, values, 6) == 6;
	if (!mount->have_bytes)
		return;
	mount->read_bytes = values[4];
	mount->write_bytes = values[5];
}

static void take_connection(struct nfs_mount *mount, const char *at)
{
	uint64_t values[XPRT_COLUMNS];
	char name[16];
	int count;

	if (!scan_word(&at, name, sizeof name))
		return;
	count = numbers(at, values, XPRT_COLUMNS);
	for (size_t i = 0; i < sizeof transports / sizeof *transports; i++) {
		const struct transport *transport = &transports[i];

		if (strcmp(transport->name, name) || count <= transport->receives)
			continue;
		mount->have_traffic = true;
		mount->connections++;
		mount->sends += values[transport->sends];
		mount->receives += values[transport->receives];
		if (transport->connects >= 0)
			mount->connects += values[transport->connects];
	}
}

static enum nfs_group group_of(const char *name)
{
	if (!strcmp(name, "READ:"))
		return NFS_READ;
	return strcmp(name, "WRITE:") ? NFS_OTHER : NFS_WRITE;
}

/* False: no line of a procedure. */
static bool take_procedure(struct nfs_mount *mount, const char *name, const char *at)
{
	uint64_t values[OP_COLUMNS] = {0};
	struct nfs_ops *ops = &mount->ops[group_of(name)];
	int count = numbers(at, values, OP_COLUMNS);

	if (count < OP_LEAST || name[strlen(name) - 1] != ':')
		return false;
	mount->have_errors =
		count == OP_COLUMNS && (mount->have_errors || !mount->have_ops);
	mount->have_ops = true;
	ops->count += values[OP_COUNT];
	ops->rtt_ms += values[OP_RTT];
	ops->execute_ms += values[OP_EXECUTE];
	if (values[OP_TRANSMISSIONS] > values[OP_COUNT])
		mount->retransmissions += values[OP_TRANSMISSIONS] - values[OP_COUNT];
	mount->timeouts += values[OP_TIMEOUTS];
	mount->errors += values[OP_ERRORS];
	return true;
}

static void take_line(struct nfs_mount *mount, char *line, bool *procedures)
{
	const char *at = line;
	char word[64];

	if (!scan_word(&at, word, sizeof word))
		return;
	if (*procedures)
		(void)take_procedure(mount, word, at); /* others are left out */
	else if (!strcmp(word, "per-op"))
		*procedures = true;
	else if (!strcmp(word, "opts:"))
		take_options(&mount->subject, line + (at - line) + strspn(at, " \t"));
	else if (!strcmp(word, "bytes:"))
		take_bytes(mount, at);
	else if (!strcmp(word, "xprt:"))
		take_connection(mount, at);
}

bool mountstats_next(char **at, struct nfs_mount *mount)
{
	bool found = false, procedures = false;
	char *line;

	*mount = (struct nfs_mount){.connections = 0};
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
