/*
 * A fake /proc and /sys in a folder of their own, for tests of sources; and what a
 * test asks about the readings that a source delivered.
 */
#ifndef WEIR_TESTS_FAKE_ROOT_H
#define WEIR_TESTS_FAKE_ROOT_H

#include "source/devices.h"
#include "source/sink.h"
#include "source/source.h"

struct fake_root {
	char top[64];
	char proc[80], sys[80];
	struct selection selection;
	struct source_env env; /* points at the above */
};

/* Each ends the test with a message if it fails. */
void fake_root_make(struct fake_root *root);
void fake_root_remove(struct fake_root *root);

/* PATH is below the top: "sys/block/sda/size". Missing folders are made; a file
 * that is there is changed in place, so that open descriptors see the new text. */
void fake_file(const struct fake_root *root, const char *path, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The file NAME of the recorded ones (tests/unit/data), at PATH. */
void fake_recorded(const struct fake_root *root, const char *path, const char *name);
void fake_folder(const struct fake_root *root, const char *path);
void fake_link(const struct fake_root *root, const char *path, const char *target);
void fake_remove(const struct fake_root *root, const char *path); /* with all below */

/* A disk with a bus parent: size, inflight, queue/iostats, device folder with a
 * PCI address and MODEL; an interface with a MAC, counters of 0 and a carrier. */
void fake_disk(const struct fake_root *root, const char *dir, const char *model);
void fake_nic(const struct fake_root *root, const char *dir, const char *mac);

/* A disk at ADDRESS (H:C:T:L) below sys/devices/WAY, as SCSI has them. */
void fake_lun(const struct fake_root *root, const char *name, const char *way,
	const char *address);

/* The same folder as another incarnation: a new inode under the old name. */
void fake_reborn(const struct fake_root *root, const char *path);

/* A source at work on such a root. */
struct fake_bench {
	struct fake_root root;
	struct sink sink;
	const struct source *source;
	void *state;
	struct devices *devices; /* or only a registry */
	nsec now;
};

int fake_setup(void **bench); /* for cmocka; nothing is open yet */
int fake_teardown(void **bench);
void fake_start(struct fake_bench *bench, const struct source *source);
const struct sink *fake_tick(struct fake_bench *bench); /* a second later */

/* A look at all devices of KIND, a second later; whether KEY is shown, and as what. */
void fake_look(struct fake_bench *bench, enum kind kind);
bool fake_shown(const struct fake_bench *bench, const char *key);
const struct device *fake_device(const struct fake_bench *bench, const char *key);

/* Why there is no reading RAW of the subject NAME in this read; WHY_ABSENT if there
 * is no row at all. VALUE may be null. */
enum why fake_why(
	const struct sink *sink, const char *name, unsigned raw, uint64_t *value);
uint64_t fake_value(const struct sink *sink, const char *name, unsigned raw);
bool fake_event(const struct sink *sink, const char *text); /* exactly this line */
const struct subject *fake_subject(const struct sink *sink, const char *name);

#endif
