/*
 * What carries requests to storage and has a class folder in sysfs: iSCSI sessions, FC
 * ports, FC remote ports. Which of them there are, whether each is up, and what its
 * disks do. A kind of them is a row of struct transport_class.
 *
 * Numbers in their names are given anew at each login; the identity is made of what
 * stays, so that one that comes back goes on in its row.
 */
#ifndef WEIR_SOURCE_TRANSPORT_H
#define WEIR_SOURCE_TRANSPORT_H

#include "source/members.h"
#include "source/remote.h"

#include <dirent.h>

struct transport {
	struct subject subject;
	char name[REMOTE_NAME]; /* in the class folder: "session4" */
	struct attr state;
	char word[32]; /* what it says */
	uint64_t failures;
	nsec lost; /* since when it is not up; 0: it is */
	struct members members;
	nsec looked; /* for its disks */
	bool there, seen;
	void *more; /* of the class */
};

struct transport_class {
	const char *folder; /* "class/iscsi_session" */
	const char *prefix; /* of the names in it */
	const char *state;  /* the attribute, */
	const char *up;     /* and its word where all is well; */
	const char *poor;   /* where it serves, but not as it should; or null */
	const char *what;   /* "session": for events */
	enum backlog_hold hold;
	bool has_disks;
	const char *timeouts[3];
	/* False: this one is not shown, or not ready. */
	bool (*describe)(struct subject *subject, const char *sys, const char *name);
	/* More readings, once per tick; and what those keep; may be null. */
	void (*read)(struct transport *transport, const char *sys, struct sink *sink,
		unsigned subject);
	void (*forget)(struct transport *transport);
};

struct transports {
	const struct transport_class *class;
	char *sys;
	DIR *dir;  /* null: it could not be opened, */
	int error; /* and why, as errno */
	struct transport *list;
	size_t count, room;
	bool started;
};

void transports_init(struct transports *transports, const struct transport_class *class,
	const char *sys);
void transports_fini(struct transports *transports);
/* Which there are, how each is, and which disks it has: a state that is slow to come is
 * no part of the time between two readings of the counters, which come after it. */
void transports_look(struct transports *transports, struct sink *sink, nsec now);
void transports_read(struct transports *transports, struct sink *sink);
/* Where the class has no folder: ABSENT are the words for it. */
void transports_nothing(
	const struct transports *transports, struct sink *sink, const char *absent);

/* Full path of NAME's folder in the class. */
bool transport_folder(const struct transport_class *class, const char *sys,
	const char *name, char *folder, size_t size);

/* Two sessions to one portal differ in nothing that stays but their order: SUBJECT
 * becomes that of the one ORDINAL, from 1. */
void transport_number(struct subject *subject, unsigned ordinal);

/* The subjects of both kinds, also for their facts. */
extern const struct transport_class transport_iscsi, transport_fc_host,
	transport_fc_port;

/* "host3" of the device behind a folder of the class. */
bool transport_host(const char *folder, char *host, size_t size);

#endif
