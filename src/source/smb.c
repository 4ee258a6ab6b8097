/*
 * The texts of /proc/fs/cifs; see the header. They differ with the kernel and with
 * the dialect, so figures are found by the words before them; what is not found is
 * not there.
 */
#include "config.h"

#include "source/smb.h"

#include "base/scan.h"
#include "base/text.h"

#include <string.h>
#include <strings.h>

enum {
	PATH = 512
};

/* The number behind KEY. The kernel prints some 32-bit counts with a sign. */
bool smb_number(const char *line, const char *key, uint64_t *value)
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
const char *smb_numbered(const char *line)
{
	size_t digits;

	line += strspn(line, " \t");
	digits = strspn(line, "0123456789");
	if (!digits || strncmp(line + digits, ") ", 2))
		return NULL;
	return line + digits + 2;
}

/* A share's name up to END; false for anything else and for the server's own IPC$. */
bool smb_name(const char *at, const char *end, char *name, size_t size)
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
		if (smb_number(line, stats_words[i].key, &value))
			set(stats, stats_words[i].count, value);
	if (!strncmp(line, "Reads:", 6) && smb_number(line, " Bytes:", &value))
		set(stats, SMB_READ_BYTES, value);
	if (!strncmp(line, "Writes:", 7) && smb_number(line, " Bytes:", &value))
		set(stats, SMB_WRITE_BYTES, value);
	if (failed && (smb_number(line, " total ", &value) ||
			      smb_number(line, " sent ", &value)))
		set(stats, SMB_FAILED, stats->counts[SMB_FAILED] + value);
}

static bool is_share(const char *line, struct smb_stats *stats)
{
	const char *at = smb_numbered(line);
	const char *gone = at ? strstr(at, "\tDISCONNECTED") : NULL;

	if (!at || !smb_name(at, gone ? gone : at + strlen(at), stats->name,
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
		if (found && smb_numbered(*at))
			return true; /* the next one is left for the next call */
		line = scan_line(at);
		if (found)
			take_stats(stats, line);
		else
			found = is_share(line, stats);
	}
	return found;
}

static const char *const command_names[SMB_COMMANDS] = {"NEGOTIATE", "SESSION_SETUP",
	"LOGOFF", "TREE_CONNECT", "TREE_DISCONNECT", "CREATE", "CLOSE", "FLUSH", "READ",
	"WRITE", "LOCK", "IOCTL", "CANCEL", "ECHO", "QUERY_DIRECTORY", "CHANGE_NOTIFY",
	"QUERY_INFO", "SET_INFO", "OPLOCK_BREAK"};

const char *smb_command(unsigned command)
{
	return command_names[command];
}

/* "  8\t\t39\t149\t\t0\t17": command, count, time, fastest, slowest */
static bool take_command(struct smb_commands *commands, const char *line)
{
	uint64_t command, count, ticks;

	if (!scan_u64(&line, &command) || command >= SMB_COMMANDS ||
		!scan_u64(&line, &count) || !scan_u64(&line, &ticks))
		return false;
	commands->counts[command] = count;
	commands->ticks[command] = ticks;
	return true;
}

bool smb_commands_next(const char **at, struct smb_commands *commands)
{
	const char *begin = strstr(*at, "Total time spent processing by command.");
	const char *units, *share = strstr(*at, "\n1) ");
	unsigned found = 0;

	*commands = (struct smb_commands){.hertz = 0};
	if (!begin || (share && share < begin))
		return false;
	units = strstr(begin, "jiffies (");
	*at = begin + strcspn(begin, "\n");
	if (units && units < *at && !smb_number(units, "jiffies (", &commands->hertz))
		commands->hertz = 0;
	for (; **at == '\n'; *at += strcspn(*at, "\n")) {
		++*at;
		if (!strncmp(*at, "Max requests", 12))
			break; /* the next server */
		found += take_command(commands, *at);
		if (found == SMB_COMMANDS)
			break;
	}
	return true;
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
	scan_unescape(source);
	(void)text_clean(clean, sizeof clean, source); /* as the name was */
	if (!same_share(clean, name))
		return false;
	scan_unescape(words[4]);
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
