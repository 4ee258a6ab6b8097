/*
 * doc/report-json.md as a table that reports are held against.
 */
#ifndef WEIR_TESTS_JSON_PAGE_H
#define WEIR_TESTS_JSON_PAGE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	DOCUMENTED_MOST = 400
};

struct documented {
	char path[96]; /* "head.windows[].from" */
	char type[24]; /* "text", "number or null" */
	bool perhaps;  /* not in every report */
	bool seen;
};

struct json_page {
	struct documented keys[DOCUMENTED_MOST];
	size_t count;
};

/* Reads the page below WEIR_SRC. */
void json_page_read(struct json_page *page);
/* Fails for a key of TEXT that the page does not have, or has with another type. Marks
 * those that are there. Not WHOLE: TEXT may end anywhere. */
void json_page_hold(struct json_page *page, const char *text, bool whole);
/* Both, for one report. */
void check_documented(const char *text);

#endif
