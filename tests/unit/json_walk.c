/* A strict walk through JSON, for tests; see the header. */
#include "config.h"

#include "json_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct walk {
	json_told *told;
	void *context;
	char path[256];
};

static bool value(struct walk *walk, const char **at);

static void blanks(const char **at)
{
	*at += strspn(*at, " \n");
}

static bool string(const char **at)
{
	if (*(*at)++ != '"')
		return false;
	for (; **at != '"'; (*at)++) {
		if ((unsigned char)**at < 0x20)
			return false;
		if (**at == '\\' && !strchr("\"\\nt", *++*at))
			return false;
	}
	(*at)++;
	return true;
}

/* A key and its colon; what it adds to the path. */
static bool key(struct walk *walk, const char **at)
{
	const char *start = *at + 1;
	size_t used = strlen(walk->path);
	int length;

	if (!string(at))
		return false;
	length = (int)(*at - 1 - start);
	(void)snprintf(walk->path + used, sizeof walk->path - used, "%s%.*s",
		used ? "." : "",
		length == 1 && *start >= 'A' && *start <= 'H' ? 1 : length,
		length == 1 && *start >= 'A' && *start <= 'H' ? "*" : start);
	return *(*at)++ == ':';
}

/* Members of an object or elements of a list up to END. */
static bool members(struct walk *walk, const char **at, char end)
{
	size_t used = strlen(walk->path);

	blanks(at);
	if (**at == end)
		return (*at)++ != NULL;
	for (;;) {
		blanks(at);
		if (end == '}' && !key(walk, at))
			return false;
		if (end == ']')
			(void)snprintf(
				walk->path + used, sizeof walk->path - used, "[]");
		if (!value(walk, at))
			return false;
		walk->path[used] = 0;
		blanks(at);
		if (**at == end)
			return (*at)++ != NULL;
		if (*(*at)++ != ',')
			return false;
	}
}

static void tell(struct walk *walk, char type)
{
	if (walk->told)
		walk->told(walk->context, walk->path, type);
}

static bool word(struct walk *walk, const char **at)
{
	static const char *const words[] = {"null", "true", "false"};
	char *end;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strncmp(*at, words[i], strlen(words[i]))) {
			tell(walk, i ? 't' : 'n');
			*at += strlen(words[i]);
			return true;
		}
	if (!**at || !strchr("-0123456789", **at))
		return false;
	(void)strtod(*at, &end);
	tell(walk, '0');
	*at = end;
	return true;
}

static bool value(struct walk *walk, const char **at)
{
	char close;

	blanks(at);
	if (**at == '"') {
		tell(walk, '"');
		return string(at);
	}
	if (**at != '{' && **at != '[')
		return word(walk, at);
	tell(walk, **at);
	close = **at == '{' ? '}' : ']';
	(*at)++;
	return members(walk, at, close);
}

bool json_walk(const char **at, json_told *told, void *context)
{
	struct walk walk = {.told = told, .context = context};

	return value(&walk, at);
}
