/* Sessions and ports: which there are, and how they are; see the header. */
#include "config.h"

#include "source/transport.h"

#include "base/alloc.h"
#include "base/text.h"
#include "core/unit.h"
#include "source/devices.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_EVERY (10 * NSEC_PER_SEC)

void transports_init(struct transports *transports, const struct transport_class *class,
	const char *sys)
{
	*transports = (struct transports){.class = class, .sys = xstrdup(sys)};
}

static void close_one(struct transports *transports, struct transport *transport)
{
	if (transport->there)
		attr_close(&transport->state);
	if (transport->there && transports->class->forget)
		transports->class->forget(transport);
	transport->there = false;
}

void transports_fini(struct transports *transports)
{
	for (size_t i = 0; i < transports->count; i++) {
		close_one(transports, &transports->list[i]);
		members_fini(&transports->list[i].members);
	}
	free(transports->list);
	free(transports->sys);
	if (transports->dir)
		(void)closedir(transports->dir); /* only read */
	*transports = (struct transports){0};
}

bool transport_folder(const struct transport_class *class, const char *sys,
	const char *name, char *folder, size_t size)
{
	return text_format(folder, size, "%s/%s/%s", sys, class->folder, name);
}

bool transport_host(const char *folder, char *host, size_t size)
{
	char path[ATTR_PATH], real[PATH_MAX];

	return text_format(path, sizeof path, "%s/device", folder) &&
	       realpath(path, real) && device_path_part(real, "/host", host, size);
}

/* ---- which there are ---- */

static struct transport *by_name(struct transports *transports, const char *name)
{
	for (size_t i = 0; i < transports->count; i++)
		if (transports->list[i].there &&
			!strcmp(transports->list[i].name, name))
			return &transports->list[i];
	return NULL;
}

static struct transport *by_id(struct transports *transports, const char *id)
{
	for (size_t i = 0; i < transports->count; i++)
		if (!strcmp(transports->list[i].subject.id, id))
			return &transports->list[i];
	return NULL;
}

void transport_number(struct subject *subject, unsigned ordinal)
{
	char mark[12];

	if (ordinal < 2)
		return;
	(void)text_format(mark, sizeof mark, "#%u", ordinal); /* fits */
	/* cut ones would be one row */
	subject->id[sizeof subject->id - sizeof mark] = 0;
	subject->name[sizeof subject->name - sizeof mark] = 0;
	(void)text_copy(subject->id + strlen(subject->id), sizeof mark, mark);
	(void)text_copy(subject->name + strlen(subject->name), sizeof mark, mark);
}

static void number(struct transports *transports, struct subject *subject)
{
	const struct transport *same;
	struct subject first = *subject;

	for (unsigned i = 2; (same = by_id(transports, subject->id)) && same->there;
		i++) {
		*subject = first;
		transport_number(subject, i);
	}
}

static void begin(struct transports *transports, struct transport *transport)
{
	char folder[ATTR_PATH];

	if (!transport_folder(transports->class, transports->sys, transport->name,
		    folder, sizeof folder))
		folder[0] = 0; /* then its state is missing */
	attr_open(&transport->state, folder, transports->class->state);
	transport->there = true;
	transport->looked = 0;
}

static struct transport *meet(
	struct transports *transports, const char *name, struct sink *sink)
{
	struct transport *transport = by_name(transports, name);
	struct subject subject = {.kind = KIND_TRANSPORT};

	if (transport)
		return transport;
	if (strlen(name) >= sizeof transport->name ||
		!transports->class->describe(&subject, transports->sys, name))
		return NULL;
	number(transports, &subject);
	transport = by_id(transports, subject.id);
	if (!transport) {
		xgrow(&transports->list, &transports->room, transports->count + 1,
			sizeof *transports->list);
		transport = &transports->list[transports->count++];
		*transport = (struct transport){0};
	}
	if (transports->started)
		sink_event(sink, "%s: %s is there", subject.name, name);
	transport->subject = subject;
	(void)text_copy(transport->name, sizeof transport->name, name); /* fits */
	begin(transports, transport);
	return transport;
}

static void list(struct transports *transports, struct sink *sink)
{
	const struct transport_class *class = transports->class;
	const struct dirent *entry;
	char folder[ATTR_PATH];

	for (size_t i = 0; i < transports->count; i++)
		transports->list[i].seen = false;
	if (!transports->dir && text_format(folder, sizeof folder, "%s/%s",
					transports->sys, class->folder))
		transports->dir = opendir(folder);
	if (!transports->dir) {
		transports->error = errno;
		return;
	}
	rewinddir(transports->dir);
	while ((entry = readdir(transports->dir))) {
		struct transport *one;

		if (strncmp(entry->d_name, class->prefix, strlen(class->prefix)) != 0)
			continue;
		one = meet(transports, entry->d_name, sink);
		if (one)
			one->seen = true;
	}
}

/* ---- how they are ---- */

static void lose(const struct transports *transports, struct transport *transport,
	struct sink *sink, nsec now)
{
	const struct transport_class *class = transports->class;
	char folder[ATTR_PATH], limit[48] = "";
	uint64_t seconds;

	transport->failures++;
	transport->lost = now;
	if (transport_folder(
		    class, transports->sys, transport->name, folder, sizeof folder) &&
		remote_timeout(folder, class->timeouts, &seconds) == WHY_NONE)
		(void)text_format(limit, sizeof limit, ", gives up at %llu s",
			(unsigned long long)seconds); /* fits */
	sink_event(sink, "%s: %s %s%s", transport->subject.name, class->what,
		transport->word, limit);
}

/* The first state that is read is no event: it may be so since long ago. */
static void follow(const struct transports *transports, struct transport *transport,
	const char *word, struct sink *sink, nsec now)
{
	const struct transport_class *class = transports->class;
	bool up =
		!strcmp(word, class->up) || (class->poor && !strcmp(word, class->poor));
	bool first = !transport->word[0];
	bool moved = strcmp(word, transport->word) != 0;
	char age[24];

	(void)text_copy(transport->word, sizeof transport->word, word); /* same size */
	if (first) {
		transport->lost = up ? 0 : now;
	} else if (up && transport->lost) {
		unit_duration(age, sizeof age, now - transport->lost);
		sink_event(sink, "%s: %s %s again after %s", transport->subject.name,
			class->what, word, age);
		transport->lost = 0;
	} else if (!up && !transport->lost) {
		lose(transports, transport, sink, now);
	} else if (moved) {
		sink_event(
			sink, "%s: %s %s", transport->subject.name, class->what, word);
	}
}

static void read_state(const struct transports *transports, struct transport *transport,
	struct sink *sink, nsec now)
{
	unsigned subject = sink_subject(sink, &transport->subject);
	char raw[32], word[32];
	enum why why = attr_text(&transport->state, raw, sizeof raw);

	if (why != WHY_NONE) {
		sink_none(sink, subject, RAW_TRANSPORT_UP, why);
		return;
	}
	raw[strcspn(raw, "\n")] = 0;
	(void)text_clean(word, sizeof word, raw); /* same size */
	follow(transports, transport, word, sink, now);
	sink_put(sink, subject, RAW_TRANSPORT_UP, !transport->lost);
	sink_put(sink, subject, RAW_TRANSPORT_FAILURES, transport->failures);
	if (transports->class->has_disks)
		sink_put(sink, subject, RAW_TRANSPORT_STATE,
			remote_state(transports->class->hold, word));
}

static void look_for_disks(
	const struct transports *transports, struct transport *transport)
{
	char folder[ATTR_PATH], device[ATTR_PATH];

	if (transport_folder(transports->class, transports->sys, transport->name,
		    folder, sizeof folder) &&
		text_format(device, sizeof device, "%s/device", folder))
		members_look(&transport->members, transports->sys, device);
}

static void look_at_disks(
	const struct transports *transports, struct transport *transport, nsec now)
{
	if (!transports->class->has_disks)
		return;
	if (!transport->looked || now - transport->looked >= LOOK_EVERY) {
		look_for_disks(transports, transport);
		transport->looked = now;
	}
	members_check(&transport->members, transports->sys);
}

static void read_disks(const struct transports *transports, struct transport *transport,
	struct sink *sink)
{
	if (!transports->class->has_disks)
		return;
	if (!members_read(&transport->members))
		transport->looked = 0;
	members_put(&transport->members, sink, sink_subject(sink, &transport->subject));
}

static void leave(
	struct transports *transports, struct transport *transport, struct sink *sink)
{
	sink_event(sink, "%s: %s is gone", transport->subject.name, transport->name);
	close_one(transports, transport);
	transport->word[0] = 0;
	transport->lost = 0;
}

void transports_look(struct transports *transports, struct sink *sink, nsec now)
{
	list(transports, sink);
	for (size_t i = 0; i < transports->count; i++) {
		struct transport *transport = &transports->list[i];

		if (transport->there && !transport->seen)
			leave(transports, transport, sink);
		if (!transport->there)
			continue;
		read_state(transports, transport, sink, now);
		look_at_disks(transports, transport, now);
	}
	transports->started = true;
}

void transports_read(struct transports *transports, struct sink *sink)
{
	for (size_t i = 0; i < transports->count; i++) {
		struct transport *transport = &transports->list[i];

		if (!transport->there)
			continue;
		read_disks(transports, transport, sink);
		if (transports->class->read)
			transports->class->read(transport, transports->sys, sink,
				sink_subject(sink, &transport->subject));
	}
}

void transports_nothing(
	const struct transports *transports, struct sink *sink, const char *absent)
{
	if (transports->dir)
		return;
	if (transports->error == EACCES || transports->error == EPERM)
		sink_nothing(sink, WHY_DENIED,
			"the folder of the class in /sys may not be read by this "
			"user");
	else
		sink_nothing(sink, WHY_ABSENT, absent);
}
