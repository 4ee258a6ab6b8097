/*
 * The texts of /proc/fs/cifs; see the header. They differ with the kernel and with
 * the dialect, so figures are found by the words before them; what is not found is
 * not there.
 */
#include "config.h"

#include "source/smb.h"

#include "base/scan.h"
#include "base/text.h"
#include "source/mountstats.h"

#include <string.h>
#include <strings.h>

enum {
	PATH = 512
};

/* The number behind KEY. The kernel prints some 32-bit counts with a sign. */
static bool number_after(const char *line, const char *key, uint64_t *value)
{
	const char *at = strstr(line, key);
	int64_t with_sign;

	if (!at)
		return false;
	at += strlen(key);
	if (scan_u64(&at, value))
		return true;
	if (!scan_i64(&at, &with_sign))
		return false;
	*value = (uint32_t)with_sign;
	return true;
}

/* "12) REST": REST, or null. */
static const char *numbered(const char *line)
{
	size_t digits;

	line += strspn(line, " \t");
	digits = strspn(line, "0123456789");
	if (!digits || strncmp(line + digits, ") ", 2))
		return NULL;
	return line + digits + 2;
}

/* A share's name up to END; false for anything else and for the server's own IPC$. */
static bool take_name(const char *at, const char *end, char *name, size_t size)
{
	char raw[PATH];
	size_t length = (size_t)(end - at);

	if (strncmp(at, "\\\\", 2) || length >= sizeof raw)
		return false;
	memcpy(raw, at, length);
	raw[length] = 0;
	(void)text_clean(name, size, raw); /* a cut name is still its beginning */
	length = strlen(name);
	return length < 5 || strcasecmp(name + length - 5, "\\IPC$") != 0;
}

/* ---- Stats ---- */

static const struct {
	const char *key;
	enum smb_count count;
} stats_words[] = {
	{"SMBs:", SMB_ALL},
	{"Reads:", SMB_READS},
	{"Writes:", SMB_WRITES},
	{"Bytes read:", SMB_READ_BYTES},
	{"Bytes written:", SMB_WRITE_BYTES},
};

static void set(struct smb_stats *stats, enum smb_count count, uint64_t value)
{
	stats->have |= 1U << count;
	stats->counts[count] = value;
}

/* "Reads: 5 total 1 failed", in older kernels "sent"; SMB1: "Reads:  5 Bytes: 4096" */
static void take_stats(struct smb_stats *stats, const char *line)
{
	const char *failed = strstr(line, " failed");
	uint64_t value;

	for (size_t i = 0; i < sizeof stats_words / sizeof *stats_words; i++)
		if (number_after(line, stats_words[i].key, &value))
			set(stats, stats_words[i].count, value);
	if (!strncmp(line, "Reads:", 6) && number_after(line, " Bytes:", &value))
		set(stats, SMB_READ_BYTES, value);
	if (!strncmp(line, "Writes:", 7) && number_after(line, " Bytes:", &value))
		set(stats, SMB_WRITE_BYTES, value);
	if (failed && (number_after(line, " total ", &value) ||
			      number_after(line, " sent ", &value)))
		set(stats, SMB_FAILED, stats->counts[SMB_FAILED] + value);
}

static bool is_share(const char *line, struct smb_stats *stats)
{
	const char *at = numbered(line);
	const char *gone = at ? strstr(at, "\tDISCONNECTED") : NULL;

	if (!at || !take_name(at, gone ? gone : at + strlen(at), stats->name,
			   sizeof stats->name))
		return false;
	stats->disconnected = gone != NULL;
	return true;
}

bool smb_stats_next(char **at, struct smb_stats *stats)
{
	bool found = false;
	char *line;

	*stats = (struct smb_stats){.have = 0};
	while (*at && **at) {
		if (found && numbered(*at))
			return true; /* the next one is left for the next call */
		line = scan_line(at);
		if (found)
			take_stats(stats, line);
		else
			found = is_share(line, stats);
	}
	return found;
}

/* ---- DebugData ---- */

static bool has_word(const char *line, const char *word)
{
	const char *at = line;
	size_t length = strlen(word);

	while ((at = strstr(at, word))) {
		if (at > line && at[-1] == ' ' &&
			!strchr("abcdefghijklmnopqrstuvwxyz",
				at[length] ? at[length] : ' '))
			return true;
		at += length;
	}
	return false;
}

static void take_server(struct smb_walk *walk, const char *line)
{
	const char *dialect = strstr(line, "Dialect "), *at = numbered(line);
	uint64_t value;

	if (at && (!strncmp(at, "ConnectionId:", 13) || !strncmp(at, "Name:", 5)))
		walk->server = (struct smb_link){.dialect = 0}; /* another one */
	if (dialect) {
		dialect += strlen("Dialect ");
		walk->server.dialect = scan_hex(&dialect, &value) && value <= 0xffff
					       ? (unsigned)value
					       : 0;
		walk->server.is_signed = has_word(line, "signed");
	}
	if (number_after(line, "Req On Wire:", &value)) {
		walk->server.have_on_wire = true;
		walk->server.on_wire = value;
	}
}

static void take_session(struct smb_walk *walk, const char *line)
{
	const char *at = numbered(line);

	if (at && (!strncmp(at, "Address:", 8) || !strncmp(at, "Name:", 5)))
		walk->session.is_signed = walk->session.encrypted = false;
	if (!strstr(line, "Security type:"))
		return;
	walk->session.is_signed = has_word(line, "signed");
	walk->session.encrypted = has_word(line, "encrypted");
}

/* "1) \\server\share Mounts: 1 DevInfo: ... Encrypted" */
static bool take_share(
	const struct smb_walk *walk, const char *line, struct smb_link *link)
{
	const char *at = numbered(line);
	const char *end = at ? strstr(at, " Mounts:") : NULL;

	*link = walk->server;
	if (!end || !take_name(at, end, link->name, sizeof link->name))
		return false;
	link->is_signed = walk->server.is_signed || walk->session.is_signed;
	link->encrypted = walk->session.encrypted || has_word(end, "Encrypted") ||
			  has_word(end, "encrypted");
	return true;
}

bool smb_link_next(char **at, struct smb_walk *walk, struct smb_link *link)
{
	char *line;

	while ((line = scan_line(at))) {
		take_server(walk, line);
		take_session(walk, line);
		if (take_share(walk, line, link))
			return true;
	}
	return false;
}

void smb_link_text(const struct smb_link *link, char *text, size_t size)
{
	char dialect[24] = "dialect not told";

	if (link->dialect & 0xf)
		(void)text_format(dialect, sizeof dialect, "%x.%x.%x",
			link->dialect >> 8, link->dialect >> 4 & 0xf,
			link->dialect & 0xf);
	else if (link->dialect)
		(void)text_format(dialect, sizeof dialect, "%x.%x", link->dialect >> 8,
			link->dialect >> 4 & 0xf);
	/* SIZE is the caller's, the text short */
	(void)text_format(text, size, "SMB %s, %s, %s", dialect,
		link->is_signed ? "signed" : "not signed",
		link->encrypted ? "encrypted" : "not encrypted");
}

/* ---- mountinfo ---- */

/* "//server/share" of the mount is "\\server\share" of the client. */
static bool same_share(const char *source, const char *name)
{
	for (; *source && *name; source++, name++)
		if (*source != *name && !(*source == '/' && *name == '\\'))
			return false;
	return !*source && !*name;
}

static bool take_mount(const char *line, const char *name, char *point, size_t size)
{
	char words[5][PATH], type[16], source[PATH], clean[PATH];
	const char *behind = strstr(line, " - ");

	for (int i = 0; i < 5; i++)
		if (!scan_word(&line, words[i], sizeof words[i]))
			return false;
	if (!behind)
		return false;
	behind += 3;
	if (!scan_word(&behind, type, sizeof type) ||
		(strcmp(type, "cifs") && strcmp(type, "smb3")) ||
		!scan_word(&behind, source, sizeof source))
		return false;
	mountstats_unescape(source);
	(void)text_clean(clean, sizeof clean, source); /* as the name was */
	if (!same_share(clean, name))
		return false;
	mountstats_unescape(words[4]);
	(void)text_clean(point, size, words[4]); /* a cut one is still its beginning */
	return true;
}

bool smb_mount_point(char *mountinfo, const char *name, char *point, size_t size)
{
	const char *line;

	while ((line = scan_line(&mountinfo)))
		if (take_mount(line, name, point, size))
			return true;
	return false;
}
