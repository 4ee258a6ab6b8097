/* Placeholders for names and addresses; see the header. */
#include "config.h"

#include "report/redact.h"

#include "base/alloc.h"
#include "base/text.h"
#include "report/redact_match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	BUCKETS = 256
};

static const char *const kind_words[REDACT_KINDS] = {
	[REDACT_HOST] = "host",
	[REDACT_ADDRESS] = "addr",
	[REDACT_MAC] = "mac",
	[REDACT_TARGET] = "target",
	[REDACT_USER] = "user",
	[REDACT_WWID] = "wwid",
	[REDACT_NAME] = "name",
};

/* Something that has a placeholder. */
struct entry {
	char *text;
	enum redact_kind kind;
	unsigned number;
	size_t next; /* 1 + place of the next one in the same bucket */
};

struct redactor {
	enum redact_level level;
	struct entry *entries;
	size_t count, room;
	size_t words[BUCKETS]; /* learned ones, by their first byte */
	size_t looks[BUCKETS]; /* those that were known by their looks, by all of it */
	unsigned numbers[REDACT_KINDS];
	char **domains;
	size_t domain_count, domain_room;
};

struct redactor *redactor_new(enum redact_level level)
{
	struct redactor *redactor = xalloc(sizeof *redactor);

	redactor->level = level;
	return redactor;
}

void redactor_free(struct redactor *redactor)
{
	if (!redactor)
		return;
	for (size_t i = 0; i < redactor->count; i++)
		free(redactor->entries[i].text);
	for (size_t i = 0; i < redactor->domain_count; i++)
		free(redactor->domains[i]);
	free(redactor->entries);
	free(redactor->domains);
	free(redactor);
}

enum redact_level redactor_level(const struct redactor *redactor)
{
	return redactor->level;
}

bool redact_level_find(const char *word, enum redact_level *level, struct fault *fault)
{
	if (strcmp(word, "all") != 0 && strcmp(word, "known") != 0 && *word)
		return fault_set(fault,
			"unknown way to redact '%s'; there are: known, all", word);
	*level = strcmp(word, "all") != 0 ? REDACT_KNOWN : REDACT_ALL;
	return true;
}

/* ---- what is known ---- */

static unsigned char first_of(const char *text)
{
	return (unsigned char)tolower((unsigned char)*text);
}

static unsigned char sum_of(const char *text)
{
	unsigned sum = 2166136261u;

	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * 16777619u; /* FNV-1a */
	return (unsigned char)(sum ^ sum >> 8 ^ sum >> 16 ^ sum >> 24);
}

static struct entry *find(const struct redactor *redactor, size_t at,
	enum redact_kind kind, const char *text)
{
	for (; at; at = redactor->entries[at - 1].next)
		if (redactor->entries[at - 1].kind == kind &&
			!strcasecmp(redactor->entries[at - 1].text, text))
			return &redactor->entries[at - 1];
	return NULL;
}

/* NUMBER 0: the next one of KIND. */
static struct entry *add(struct redactor *redactor, size_t *bucket,
	enum redact_kind kind, const char *text, unsigned number)
{
	struct entry *entry;

	xgrow(&redactor->entries, &redactor->room, redactor->count + 1,
		sizeof *redactor->entries);
	entry = &redactor->entries[redactor->count++];
	*entry = (struct entry){.text = xstrdup(text),
		.kind = kind,
		.number = number ? number : ++redactor->numbers[kind],
		.next = *bucket};
	*bucket = redactor->count;
	return entry;
}

static struct entry *learn(struct redactor *redactor, enum redact_kind kind,
	const char *text, unsigned number)
{
	size_t *bucket = &redactor->words[first_of(text)];
	struct entry *known = find(redactor, *bucket, kind, text);

	return known ? known : add(redactor, bucket, kind, text, number);
}

/* Whether TEXT already has a placeholder by its looks: an address as a host's name. */
static bool is_seen_through(const struct redactor *redactor, const char *text)
{
	char known[REDACT_TOKEN];
	enum redact_kind kind;

	return redact_match(text, redactor->level, &kind, known) == strlen(text);
}

void redactor_learn(struct redactor *redactor, enum redact_kind kind, const char *text)
{
	/* one sign alone stands everywhere */
	if (strlen(text) > 1 && !is_seen_through(redactor, text))
		(void)learn(redactor, kind, text, 0);
}

static void learn_domain(struct redactor *redactor, const char *domain)
{
	for (size_t i = 0; i < redactor->domain_count; i++)
		if (!strcasecmp(redactor->domains[i], domain))
			return;
	xgrow(&redactor->domains, &redactor->domain_room, redactor->domain_count + 1,
		sizeof *redactor->domains);
	redactor->domains[redactor->domain_count++] = xstrdup(domain);
}

void redactor_learn_host(struct redactor *redactor, const char *name)
{
	const char *dot = strchr(name, '.');
	char brief[REDACT_TOKEN];
	unsigned number;

	if (strlen(name) < 2 || is_seen_through(redactor, name) ||
		!strcasecmp(name, "localhost"))
		return;
	number = learn(redactor, REDACT_HOST, name, 0)->number;
	if (!dot || dot - name < 2)
		return;
	(void)text_format(brief, sizeof brief, "%.*s", (int)(dot - name), name);
	(void)learn(redactor, REDACT_HOST, brief, number);
	if (strchr(dot + 1, '.')) /* never a whole top level */
		learn_domain(redactor, dot);
}

/* ---- replacing ---- */

static bool is_letter(char sign)
{
	return isalnum((unsigned char)sign) || sign == '_';
}

/* The longest word that was learned and stands at AT. */
static const struct entry *word_at(
	const struct redactor *redactor, const char *text, const char *at)
{
	const struct entry *best = NULL;
	size_t most = 0;

	for (size_t i = redactor->words[first_of(at)]; i;
		i = redactor->entries[i - 1].next) {
		const struct entry *entry = &redactor->entries[i - 1];
		size_t length = strlen(entry->text);

		if (length <= most || strncasecmp(at, entry->text, length) != 0 ||
			(is_letter(*at) && at > text && is_letter(at[-1])) ||
			(is_letter(at[length - 1]) && is_letter(at[length])))
			continue;
		best = entry;
		most = length;
	}
	return best;
}

/* How many bytes at AT are a host of a domain that is known. */
static size_t host_at(const struct redactor *redactor, const char *at, char *known)
{
	size_t length = 0;

	while (isalnum((unsigned char)at[length]) ||
		(at[length] && strchr(".-_", at[length])))
		length++;
	while (length && at[length - 1] == '.')
		length--;
	for (size_t i = 0; i < redactor->domain_count; i++) {
		size_t end = strlen(redactor->domains[i]);

		if (length > end && length < REDACT_TOKEN &&
			!strncasecmp(at + length - end, redactor->domains[i], end)) {
			(void)text_format(known, REDACT_TOKEN, "%.*s", (int)length, at);
			return length;
		}
	}
	return 0;
}

/* A word begins at AT: not within another one, nor behind the dot of a number. */
static bool begins(const char *text, const char *at)
{
	if (at == text)
		return true;
	return !is_letter(at[-1]) &&
	       !(at[-1] == '.' && at - 1 > text && isdigit((unsigned char)at[-2])) &&
	       !(at[-1] == ':' && *at == ':');
}

/* How many bytes at AT are replaced by *BY; 0: none. */
static size_t replaced(struct redactor *redactor, const char *text, const char *at,
	const struct entry **by)
{
	enum redact_kind kind = REDACT_HOST;
	char known[REDACT_TOKEN];
	size_t *bucket;
	size_t length;

	*by = word_at(redactor, text, at);
	if (*by)
		return strlen((*by)->text);
	if (!begins(text, at))
		return 0;
	length = host_at(redactor, at, known);
	if (!length)
		length = redact_match(at, redactor->level, &kind, known);
	if (!length)
		return 0;
	bucket = &redactor->looks[sum_of(known)];
	*by = find(redactor, *bucket, kind, known);
	if (!*by)
		*by = add(redactor, bucket, kind, known, 0);
	return length;
}

void redact_text(struct redactor *redactor, const char *text, struct buffer *out)
{
	const struct entry *by;
	const char *at = text;

	while (*at) {
		size_t length = replaced(redactor, text, at, &by);

		if (length)
			buffer_format(out, "%s%u", kind_words[by->kind], by->number);
		else
			buffer_byte(out, (uint8_t)*at);
		at += length ? length : 1;
	}
}

void redact_field(struct redactor *redactor, char *text, size_t size)
{
	struct buffer out = {0};

	redact_text(redactor, text, &out);
	(void)text_copy(text, size, buffer_string(&out)); /* may be cut */
	buffer_fini(&out);
}

const char *redact_words(enum redact_level level)
{
	static const char *const words[] = {
		[REDACT_KNOWN] =
			"host names, addresses, MACs, iSCSI and NVMe names, people. "
			"Left: WWIDs, labels, mount points, window names, and notes "
			"but "
			"for the names that weir knows: read them before you hand this "
			"out, or take --redact=all",
		[REDACT_ALL] =
			"host names, addresses, MACs, iSCSI and NVMe names, people, "
			"WWIDs, serial numbers, labels, mount points, names of the "
			"session and of windows; notes and commands are withheld. "
			"Left: "
			"names of devices, drivers and models, and all times",
	};

	return words[level];
}
