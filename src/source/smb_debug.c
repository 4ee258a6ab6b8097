/*
 * The text of /proc/fs/cifs/DebugData; see the header. Servers, below them their
 * sessions with more connections ("channels") and shares. What holds for a server
 * stands before its shares, so one pass will do. Three ages of the file:
 *
 * Linux 5.11 and later   "1) ConnectionId: 0x1 Hostname: filer", its figures behind it
 *                        at the beginning of lines, sessions and channels indented
 * 4.18 (also RHEL 8) on  "Number of credits: 9 Dialect 0x311 signed", behind that
 *                        "1) Name: 10.1.0.20", once for each of its sessions
 * before                 no dialect, no word on signing and encryption: not known
 */
#include "config.h"

#include "source/smb.h"

#include "base/alloc.h"
#include "base/scan.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Where the walk is. */
struct walk {
	struct smb_debug *debug;
	bool session_signed, session_encrypted, session_told;
	bool own_lines; /* the server's figures stand behind its name, not before */
	uint64_t number;
	struct smb_channel ahead; /* what stood before the name of its server */
};

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

static struct smb_channel *channel_of(const struct walk *walk)
{
	struct smb_debug *debug = walk->debug;

	return debug->channel_count ? &debug->channels[debug->channel_count - 1] : NULL;
}

static struct smb_channel *add_channel(
	struct walk *walk, unsigned number, const char *line)
{
	struct smb_debug *debug = walk->debug;
	const struct smb_channel *before = channel_of(walk);
	struct smb_channel new = {.server = debug->servers, .number = number};
	const char *id = strstr(line, "ConnectionId: ");

	if (id && (id += strlen("ConnectionId: "), !scan_hex(&id, &new.id)))
		new.id = 0;
	if (before && number > 1)
		memcpy(new.host, before->host, sizeof new.host);
	xgrow(&debug->channels, &debug->channel_room, debug->channel_count + 1,
		sizeof *debug->channels);
	debug->channels[debug->channel_count] = new;
	return &debug->channels[debug->channel_count++];
}

static void begin_session(struct walk *walk)
{
	walk->session_signed = walk->session_encrypted = walk->session_told = false;
}

/* What stands before the name of a server; null: LINE names none. */
static const char *server_name(const char *line)
{
	static const char *const words[] = {"Name: ", "entry for "};
	const char *at = *line >= '0' && *line <= '9' ? smb_numbered(line) : NULL;
	const char *host = at ? strstr(at, "Hostname: ") : NULL;

	if (at && !strncmp(at, "ConnectionId:", 13))
		return host ? host + strlen("Hostname: ") : "";
	for (size_t i = 0; at && i < sizeof words / sizeof *words; i++)
		if (!strncmp(at, words[i], strlen(words[i])))
			return at + strlen(words[i]);
	return NULL;
}

/* Figures that stood before the name. */
static void take_ahead(struct walk *walk, struct smb_channel *channel)
{
	channel->dialect = walk->ahead.dialect;
	channel->is_signed = walk->ahead.is_signed;
	channel->told = walk->ahead.told;
	channel->have = walk->ahead.have;
	memcpy(channel->figures, walk->ahead.figures, sizeof channel->figures);
	walk->ahead = (struct smb_channel){.have = 0};
}

static bool take_server(struct walk *walk, const char *line)
{
	const char *host = server_name(line);
	struct smb_channel *channel;
	uint64_t number = 0;
	char raw[SMB_NAME];

	if (!host)
		return false;
	begin_session(walk);
	walk->own_lines = strstr(line, "ConnectionId:") != NULL;
	if (!scan_u64(&line, &number) ||
		(!walk->own_lines && number == walk->number && number))
		return true; /* one more session of the same server */
	walk->number = number;
	walk->debug->servers++;
	channel = add_channel(walk, 1, line);
	if (!walk->own_lines)
		take_ahead(walk, channel);
	if (scan_word(&host, raw, sizeof raw))
		/* a cut name is still its beginning */
		(void)text_clean(channel->host, sizeof channel->host, raw);
	return true;
}

static void take_dialect(struct smb_channel *channel, const char *line)
{
	const char *dialect = strstr(line, "Dialect ");
	uint64_t value;

	if (!dialect)
		return;
	dialect += strlen("Dialect ");
	if (scan_hex(&dialect, &value) && value <= 0xffff)
		channel->dialect = (unsigned)value;
	channel->is_signed = has_word(line, "signed");
	channel->told = true;
}

static void take_figures(struct walk *walk, const char *line)
{
	static const struct {
		const char *key;
		enum smb_figure figure;
	} rows[] = {
		{"Number of credits: ", SMB_CREDITS},
		{"Instance: ", SMB_INSTANCE},
		{"Req On Wire: ", SMB_ON_WIRE},
		{"In MaxReq Wait: ", SMB_WAITING},
	};
	struct smb_channel *channel = channel_of(walk);

	if (!walk->own_lines && !strncmp(line, rows[0].key, strlen(rows[0].key))) {
		channel = &walk->ahead;
		*channel = (struct smb_channel){.have = 0};
	}
	if (!channel)
		return;
	take_dialect(channel, line);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (smb_number(line, rows[i].key, &channel->figures[rows[i].figure]))
			channel->have |= 1U << rows[i].figure;
}

/* "Channel: 2 ConnectionId: 0x7", before 5.11 "Channel 2 Number of credits: 9 ..." */
static bool take_channel(struct walk *walk, const char *line)
{
	bool own = strstr(line, "ConnectionId:") != NULL;
	uint64_t number;

	if ((!own && !strstr(line, " Number of credits:")) ||
		!walk->debug->channel_count ||
		!smb_number(line, own ? "Channel: " : "\tChannel ", &number) ||
		number < 2 || number > 99)
		return false;
	(void)add_channel(walk, (unsigned)number, line); /* now the last one */
	take_figures(walk, line);
	return true;
}

static void take_session(struct walk *walk, const char *line)
{
	const char *at = smb_numbered(line);

	if (at && (!strncmp(at, "Address:", 8) || !strncmp(at, "Name:", 5)))
		begin_session(walk);
	if (!strstr(line, "SessionId: "))
		return;
	walk->session_signed = has_word(line, "signed");
	walk->session_encrypted = has_word(line, "encrypted");
	walk->session_told = true;
}

/* "1) \\server\share Mounts: 1 DevInfo:", the next line ends with " Encrypted" */
static bool take_share(struct walk *walk, const char *line)
{
	struct smb_debug *debug = walk->debug;
	const struct smb_channel *channel = channel_of(walk);
	const char *at = smb_numbered(line);
	const char *end = at ? strstr(at, " Mounts:") : NULL;
	struct smb_link link = {.server = debug->servers};

	if (!end || !channel || !smb_name(at, end, link.name, sizeof link.name))
		return false;
	while (channel->number > 1)
		channel--; /* to the first connection, which is the server's */
	link.dialect = channel->dialect;
	link.told = channel->told || walk->session_told;
	link.is_signed = channel->is_signed || walk->session_signed;
	link.encrypted = walk->session_encrypted || has_word(end, "Encrypted") ||
			 has_word(end, "encrypted");
	xgrow(&debug->links, &debug->link_room, debug->link_count + 1,
		sizeof *debug->links);
	debug->links[debug->link_count++] = link;
	return true;
}

/* Behind a share's line and before the next one. */
static void take_rest(struct walk *walk, const char *line)
{
	struct smb_debug *debug = walk->debug;

	if (debug->link_count && strstr(line, "PathComponentMax:") && walk->debug->open)
		debug->links[debug->link_count - 1].encrypted |=
			has_word(line, "Encrypted") || has_word(line, "encrypted");
}

/* What the connections of its server say together. */
static void add_up(struct smb_debug *debug, struct smb_link *link)
{
	for (size_t i = 0; i < debug->channel_count; i++) {
		const struct smb_channel *channel = &debug->channels[i];

		if (channel->server != link->server)
			continue;
		link->channels++;
		link->have |= channel->have;
		for (int k = 0; k < SMB_FIGURES; k++)
			link->figures[k] += channel->figures[k];
	}
}

/* Whether the sessions of a share differ is told by its first link. */
static void compare_links(struct smb_debug *debug)
{
	for (size_t i = 1; i < debug->link_count; i++) {
		const struct smb_link *link = &debug->links[i];
		struct smb_link *first = debug->links;

		while (strcmp(first->name, link->name) != 0)
			first++;
		first->signed_differs |= first->is_signed != link->is_signed;
		first->encrypted_differs |= first->encrypted != link->encrypted;
	}
}

void smb_debug_parse(struct smb_debug *debug, char *text)
{
	struct walk walk = {.debug = debug};
	const char *line;

	debug->servers = 0;
	debug->channel_count = debug->link_count = 0;
	debug->open = false;
	while ((line = scan_line(&text))) {
		if (take_server(&walk, line) || take_channel(&walk, line)) {
			debug->open = false;
		} else if (smb_numbered(line)) {
			debug->open = take_share(&walk, line);
			take_session(&walk, line);
		} else {
			take_session(&walk, line);
			take_figures(&walk, line);
			take_rest(&walk, line);
		}
	}
	for (size_t i = 0; i < debug->link_count; i++)
		add_up(debug, &debug->links[i]);
	compare_links(debug);
}

void smb_debug_fini(struct smb_debug *debug)
{
	free(debug->channels);
	free(debug->links);
	*debug = (struct smb_debug){.servers = 0};
}

const struct smb_link *smb_debug_link(const struct smb_debug *debug, const char *name)
{
	for (size_t i = 0; i < debug->link_count; i++)
		if (!strcmp(debug->links[i].name, name))
			return &debug->links[i];
	return NULL;
}

bool smb_debug_is_repeated(const struct smb_debug *debug, const struct smb_link *link)
{
	for (const struct smb_link *at = debug->links; at < link; at++)
		if (at->server == link->server && !strcmp(at->name, link->name))
			return true;
	return false;
}

const struct smb_link *smb_debug_more(
	const struct smb_debug *debug, const struct smb_link *link)
{
	const struct smb_link *end = debug->links + debug->link_count;

	for (const struct smb_link *at = link + 1; at < end; at++)
		if (!strcmp(at->name, link->name) && !smb_debug_is_repeated(debug, at))
			return at;
	return NULL;
}

bool smb_debug_is_shared(const struct smb_debug *debug, unsigned server)
{
	const struct smb_link *first = NULL;

	for (size_t i = 0; i < debug->link_count; i++) {
		const struct smb_link *link = &debug->links[i];

		if (link->server != server)
			continue;
		if (first && strcmp(first->name, link->name) != 0)
			return true;
		first = link;
	}
	return false;
}

void smb_dialect_text(unsigned dialect, char *text, size_t size)
{
	/* SIZE is the caller's, the text short */
	if (dialect & 0xf)
		(void)text_format(text, size, "%x.%x.%x", dialect >> 8,
			dialect >> 4 & 0xf, dialect & 0xf);
	else if (dialect)
		(void)text_format(
			text, size, "%x.%x", dialect >> 8, dialect >> 4 & 0xf);
	else
		(void)text_copy(text, size, "not told");
}

void smb_link_text(const struct smb_link *link, char *text, size_t size)
{
	char dialect[24];

	smb_dialect_text(link->dialect, dialect, sizeof dialect);
	if (!link->told)
		(void)text_copy(text, size,
			"SMB, signing and encryption not told by this kernel");
	else
		(void)text_format(text, size, "SMB %s, %s, %s", dialect,
			link->signed_differs ? "signed in some sessions"
			: link->is_signed    ? "signed"
					     : "not signed",
			link->encrypted_differs ? "encrypted in some"
			: link->encrypted       ? "encrypted"
						: "not encrypted");
}
