/* The page that says what is in a JSON report, held against reports; see the header. */
#include "config.h"

#include "json_page.h"

#include "base/buffer.h"
#include "base/scan.h"
#include "json_walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The next text between backticks before END; moves *AT behind it. */
static bool quoted(const char **at, const char *end, char *to, size_t size)
{
	const char *from = memchr(*at, '`', (size_t)(end - *at));
	const char *stop =
		from ? memchr(from + 1, '`', (size_t)(end - from - 1)) : NULL;

	if (!stop)
		return false;
	(void)snprintf(to, size, "%.*s", (int)(stop - from - 1), from + 1);
	*at = stop + 1;
	return true;
}

static void add(struct json_page *page, const char *in, const char *key,
	const char *type, bool perhaps)
{
	struct documented *row = &page->keys[page->count++];

	assert_true(page->count < DOCUMENTED_MOST);
	*row = (struct documented){.perhaps = perhaps};
	(void)snprintf(row->path, sizeof row->path, "%s%s%s", in, *in ? "." : "", key);
	(void)snprintf(row->type, sizeof row->type, "%s", type);
}

/* | `in` | `key` `key` | type | words | */
static void read_row(struct json_page *page, const char *line)
{
	const char *second = strchr(line + 1, '|');
	const char *third = second ? strchr(second + 1, '|') : NULL;
	const char *fourth = third ? strchr(third + 1, '|') : NULL;
	const char *at = line;
	char in[64], key[32], type[24];

	if (!fourth || !quoted(&at, second, in, sizeof in))
		return;
	(void)snprintf(type, sizeof type, "%.*s", (int)(fourth - third - 3), third + 2);
	at = second;
	while (quoted(&at, third, key, sizeof key))
		add(page, in, key, type, strstr(fourth, "*perhaps*") != NULL);
}

void json_page_read(struct json_page *page)
{
	struct buffer text = {0};
	const char *root = getenv("WEIR_SRC");
	struct fault fault;
	char *at, *line;

	*page = (struct json_page){0};
	if (!scan_file(
		    root ? root : ".", "/doc/report-json.md", &text, 1 << 20, &fault))
		fail_msg("%s", fault.text);
	at = buffer_string(&text);
	while ((line = scan_line(&at)))
		if (!strncmp(line, "| `", 3))
			read_row(page, line);
	assert_true(page->count > 100);
	buffer_fini(&text);
}

static bool is_type(const char *type, char found)
{
	static const struct {
		const char *word;
		char sign;
	} types[] = {{"text", '"'}, {"number", '0'}, {"integer", '0'}, {"time", '0'},
		{"truth", 't'}, {"list", '['}, {"object", '{'}};

	if (found == 'n')
		return strstr(type, " or null") != NULL;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strncmp(type, types[i].word, strlen(types[i].word)))
			return types[i].sign == found;
	return false;
}

/* These sections look like the one of disks. */
static void as_disks(char *to, size_t size, const char *path)
{
	static const char *const alike[] = {
		"network.", "host.", "mounts.", "peers.", "transports."};

	for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
		if (!strncmp(path, alike[i], strlen(alike[i]))) {
			(void)snprintf(to, size, "disks.%s", path + strlen(alike[i]));
			return;
		}
	(void)snprintf(to, size, "%s", path);
}

static void hold(void *context, const char *told, char type)
{
	struct json_page *page = context;
	size_t length = strlen(told);
	char path[256];

	if (!length || told[length - 1] == ']') /* the document; a row */
		return;
	as_disks(path, sizeof path, told);
	for (size_t i = 0; i < page->count; i++) {
		if (strcmp(page->keys[i].path, path) != 0)
			continue;
		page->keys[i].seen = true;
		if (!is_type(page->keys[i].type, type))
			fail_msg("%s is '%c', by doc/report-json.md: %s", told, type,
				page->keys[i].type);
		return;
	}
	fail_msg("doc/report-json.md lacks %s", told);
}

void json_page_hold(struct json_page *page, const char *text, bool whole)
{
	const char *at = text;
	bool good = json_walk(&at, hold, page) && !strcmp(at, "\n");

	if (whole && !good)
		fail_msg("no JSON at byte %zu: %.40s", (size_t)(at - text), at);
}

void check_documented(const char *text)
{
	static struct json_page page;

	json_page_read(&page);
	json_page_hold(&page, text, true);
	for (size_t i = 0; i < page.count; i++)
		if (!strpbrk(page.keys[i].path, ".") && !page.keys[i].seen &&
			!page.keys[i].perhaps)
			fail_msg("the report lacks %s", page.keys[i].path);
}
