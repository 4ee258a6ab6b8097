/*
 * What the sources of facts (config_*.c) share: how often they look, and attributes
 * as facts. They read in threads of their own, since some attributes wait for a lock
 * of the driver; what they find changes rarely.
 */
#ifndef WEIR_SOURCE_CONFIG_H
#define WEIR_SOURCE_CONFIG_H

#include "source/source.h"

/* About once a minute, and whenever a mark is set. A zeroed one is due. */
struct config_beat {
	nsec read_at;
	bool started;
};
bool config_is_due(struct config_beat *beat, const struct sink *sink, nsec now);

/* An attribute that is a fact. */
struct config_row {
	const char *key;
	const char *path; /* below the folder */
	bool choice;      /* "none [bfq]": what stands in brackets is in force */
	bool optional;    /* not every device has it: no file is no fact */
};

void config_attr(struct sink *sink, const struct subject *subject, const char *folder,
	const struct config_row *row);
void config_attrs(struct sink *sink, const struct subject *subject, const char *folder,
	const struct config_row *rows, size_t count);

/* The first line of an attribute, white space squeezed. */
enum why config_text(const char *folder, const char *path, char *text, size_t size);

/* What is in a folder, in order, as one fact; no fact where nothing is. */
void config_entries(struct sink *sink, const struct subject *subject, const char *key,
	const char *folder, const char *path);

/* Gives EACH every name in a folder that begins with PREFIX, in order. */
void config_each(const char *folder, const char *prefix,
	void (*each)(void *context, const char *name), void *context);

#endif
