/*
 * What looks like an address, a MAC, a name of iSCSI or an identity: pure.
 */
#ifndef WEIR_REPORT_REDACT_MATCH_H
#define WEIR_REPORT_REDACT_MATCH_H

#include "report/redact.h"

enum {
	REDACT_TOKEN = 256
};

/* How many bytes at AT, where a word begins, are such a thing (0: none), which, and as
 * what it is known: the same address in another spelling is the same. */
size_t redact_match(const char *at, enum redact_level level, enum redact_kind *kind,
	char known[REDACT_TOKEN]);

#endif
