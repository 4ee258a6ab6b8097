/* NFS and SMB mounts from /proc/self/mountinfo (kernel: filesystems/proc); see the
 * header. */
#include "config.h"

#include "source/config_mounts.h"

#include "base/scan.h"
#include "base/text.h"
#include "core/fact.h"
#include "source/smb.h"

#include <string.h>

enum {
	LIST_MOST = 4 << 20,
	BEFORE_POINT = 4, /* fields before the mount point */
};

/* The next blank-separated field of *AT, ended by a zero; null behind the last. */
static char *field(char **at)
{
	char *start = *at;
	char *end;

	if (!start || !*start)
		return NULL;
	end = strchr(start, ' ');
	if (end)
		*end++ = 0;
	*at = end;
	return start;
}

/* Null: this kernel does not say. */
static const char *in_effect(const struct smb_link *link, bool differs, bool is)
{
	if (!link->told)
		return NULL;
	if (differs)
		return "mixed";
	return is ? "yes" : "no";
}

/* What the options of an SMB mount do not say, as in effect. */
static void put_effect(struct sink *sink, const struct subject *subject,
	const struct smb_debug *debug, const char *source)
{
	char name[SMB_NAME], dialect[24], channels[16];
	const struct smb_link *link;

	(void)text_clean(name, sizeof name, source); /* as those of DebugData are */
	for (char *at = name; *at; at++)
		*at = *at == '/' ? '\\' : *at;
	link = smb_debug_link(debug, name);
	if (!link)
		return;
	smb_dialect_text(link->dialect, dialect, sizeof dialect);
	(void)text_format(channels, sizeof channels, "%u", link->channels); /* fits */
	sink_fact(sink, subject, "smb.dialect", link->dialect ? dialect : NULL,
		WHY_UNSUPPORTED);
	sink_fact(sink, subject, "smb.signed",
		in_effect(link, link->signed_differs, link->is_signed),
		WHY_UNSUPPORTED);
	sink_fact(sink, subject, "smb.encrypted",
		in_effect(link, link->encrypted_differs, link->encrypted),
		WHY_UNSUPPORTED);
	sink_fact(sink, subject, "smb.connections", channels, WHY_NONE);
}

/* Whatever else mounts may say of it, a secret is no fact. */
static bool is_secret(const char *key)
{
	return !strcmp(key, "password") || !strcmp(key, "pass") ||
	       !strcmp(key, "password2");
}

static void put_options(struct sink *sink, const struct subject *subject, char *options)
{
	char *next;

	for (char *one = options; one && *one; one = next) {
		char *value = strchr(one, '=');

		next = strchr(one, ',');
		if (next)
			*next++ = 0;
		value = strchr(one, '=');
		if (value)
			*value++ = 0;
		scan_unescape(one);
		if (value)
			scan_unescape(value);
		if (*one && !is_secret(one))
			sink_fact(sink, subject, one, value ? value : "on", WHY_NONE);
	}
}

static bool is_network(const char *type)
{
	return !strcmp(type, "nfs") || !strcmp(type, "nfs4") || !strcmp(type, "cifs") ||
	       !strcmp(type, "smb3");
}

/* ID PARENT MAJ:MIN ROOT POINT OPTIONS [TAG...] - TYPE SOURCE OPTIONS */
static void take_line(char *line, const struct smb_debug *debug, struct sink *sink)
{
	struct subject subject = {.kind = KIND_MOUNT};
	char *point, *options, *type, *source, *more;
	char *at = line;

	for (int i = 0; i < BEFORE_POINT; i++)
		(void)field(&at); /* if it is not there, neither is the next */
	point = field(&at);
	options = field(&at);
	do
		type = field(&at);
	while (type && strcmp(type, "-") != 0);
	type = field(&at);
	source = field(&at);
	more = field(&at);
	if (!more || !is_network(type))
		return;
	scan_unescape(point);
	scan_unescape(source);
	/* a cut path is still its beginning */
	(void)text_clean(subject.name, sizeof subject.name, point);
	(void)text_clean(subject.id, sizeof subject.id, point);
	sink_fact(sink, &subject, "source", source, WHY_NONE);
	sink_fact(sink, &subject, "type", type, WHY_NONE);
	put_options(sink, &subject, options);
	put_options(sink, &subject, more);
	put_effect(sink, &subject, debug, source);
}

bool config_mounts(const struct source_env *env, struct buffer *text, struct sink *sink,
	struct fault *fault)
{
	struct smb_debug debug = {.servers = 0};
	bool found;
	char *at;
	char *line;

	if (scan_file(env->proc, "/fs/cifs/DebugData", text, LIST_MOST, NULL))
		smb_debug_parse(&debug, buffer_string(text));
	found = scan_file(env->proc, "/self/mountinfo", text, LIST_MOST, fault);
	at = found ? buffer_string(text) : NULL;
	while (at && (line = scan_line(&at)))
		take_line(line, &debug, sink);
	smb_debug_fini(&debug);
	return found;
}
