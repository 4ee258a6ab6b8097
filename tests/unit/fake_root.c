/* A fake /proc and /sys; see the header. */
#include "config.h"

#include "base/scan.h"
#include "fake_root.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *below(const struct fake_root *root, const char *path)
{
	static char full[PATH_MAX + sizeof root->top];

	(void)snprintf(full, sizeof full, "%s/%s", root->top, path);
	return full;
}

/* The folders above PATH. */
static void make_way(const struct fake_root *root, const char *path)
{
	char part[PATH_MAX];

	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
		(void)snprintf(part, sizeof part, "%.*s", (int)(at - path), path);
		(void)mkdir(below(root, part), 0700); /* it may be there */
	}
}

void fake_root_make(struct fake_root *root)
{
	*root = (struct fake_root){0};
	(void)snprintf(root->top, sizeof root->top, "/tmp/weir-root-XXXXXX");
	assert_non_null(mkdtemp(root->top));
	(void)snprintf(root->proc, sizeof root->proc, "%s/proc", root->top);
	(void)snprintf(root->sys, sizeof root->sys, "%s/sys", root->top);
	root->env = (struct source_env){.proc = root->proc,
		.sys = root->sys,
		.interval = NSEC_PER_SEC,
		.selection = &root->selection};
	fake_folder(root, "sys/block");
	fake_folder(root, "sys/class/net");
	fake_file(root, "proc/diskstats", "%s", "");
	fake_file(root, "proc/sys/kernel/hostname", "filer\n");
	fake_file(root, "proc/sys/kernel/osrelease", "6.1.0-test\n");
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	(void)status;
	(void)type;
	(void)ftw;
	return remove(path);
}

void fake_root_remove(struct fake_root *root)
{
	assert_int_equal(nftw(root->top, drop, 8, FTW_DEPTH | FTW_PHYS), 0);
}

void fake_file(const struct fake_root *root, const char *path, const char *format, ...)
{
	static char text[65536];
	va_list args;
	int length, fd;

	va_start(args, format);
	length = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	assert_in_range(length, 0, (int)sizeof text - 1);
	make_way(root, path);
	fd = open(below(root, path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, text, (size_t)length, 0), length);
	assert_int_equal(ftruncate(fd, length), 0);
	assert_int_equal(close(fd), 0);
}

void fake_recorded(const struct fake_root *root, const char *path, const char *name)
{
	const char *top = getenv("WEIR_SRC");
	struct buffer text = {0};
	struct fault fault;
	char file[512];

	(void)snprintf(file, sizeof file, "/tests/unit/data/%s", name);
	if (!scan_file(top ? top : ".", file, &text, 1 << 20, &fault))
		fail_msg("%s", fault.text);
	fake_file(root, path, "%s", buffer_string(&text));
	buffer_fini(&text);
}

void fake_folder(const struct fake_root *root, const char *path)
{
	make_way(root, path);
	assert_int_equal(mkdir(below(root, path), 0700), 0);
}

void fake_link(const struct fake_root *root, const char *path, const char *target)
{
	make_way(root, path);
	assert_int_equal(symlink(target, below(root, path)), 0);
}

void fake_remove(const struct fake_root *root, const char *path)
{
	assert_int_equal(nftw(below(root, path), drop, 8, FTW_DEPTH | FTW_PHYS), 0);
}

void fake_disk(const struct fake_root *root, const char *dir, const char *model)
{
	char path[128];

	(void)snprintf(path, sizeof path, "sys/block/%s/size", dir);
	fake_file(root, path, "2048\n");
	(void)snprintf(path, sizeof path, "sys/block/%s/inflight", dir);
	fake_file(root, path, "       0        0\n");
	(void)snprintf(path, sizeof path, "sys/block/%s/queue/iostats", dir);
	fake_file(root, path, "1\n");
	(void)snprintf(path, sizeof path, "sys/block/%s/device/model", dir);
	fake_file(root, path, "%s\n", model);
}

void fake_lun(const struct fake_root *root, const char *name, const char *way,
	const char *address)
{
	char path[200], target[200];

	(void)snprintf(path, sizeof path, "sys/devices/%s/%s/model", way, address);
	fake_file(root, path, "LUN             \n");
	(void)snprintf(path, sizeof path, "sys/devices/%s/%s/vendor", way, address);
	fake_file(root, path, "NETAPP  \n");
	(void)snprintf(path, sizeof path, "sys/block/%s/size", name);
	fake_file(root, path, "2048\n");
	(void)snprintf(path, sizeof path, "sys/block/%s/device", name);
	(void)snprintf(target, sizeof target, "../../devices/%s/%s", way, address);
	fake_link(root, path, target);
}

void fake_nic(const struct fake_root *root, const char *dir, const char *mac)
{
	static const char *const zeros[] = {"rx_dropped", "tx_dropped",
		"rx_missed_errors", "rx_fifo_errors", "rx_crc_errors",
		"rx_frame_errors", "rx_length_errors", "rx_over_errors", "rx_nohandler",
		"tx_carrier_errors", "tx_fifo_errors", "tx_aborted_errors",
		"tx_heartbeat_errors", "tx_window_errors", "multicast", NULL};
	char path[128];

	for (size_t i = 0; zeros[i]; i++) {
		(void)snprintf(path, sizeof path, "sys/class/net/%s/statistics/%s", dir,
			zeros[i]);
		fake_file(root, path, "0\n");
	}
	(void)snprintf(path, sizeof path, "sys/class/net/%s/address", dir);
	fake_file(root, path, "%s\n", mac);
	(void)snprintf(path, sizeof path, "sys/class/net/%s/carrier", dir);
	fake_file(root, path, "1\n");
	(void)snprintf(path, sizeof path, "sys/class/net/%s/carrier_changes", dir);
	fake_file(root, path, "1\n");
	(void)snprintf(path, sizeof path, "sys/class/net/%s/operstate", dir);
	fake_file(root, path, "up\n");
}

static int copy_one(
	const char *path, const struct stat *status, int type, struct FTW *f);

static char reborn_from[PATH_MAX], reborn_to[PATH_MAX];

static int copy_one(
	const char *path, const struct stat *status, int type, struct FTW *f)
{
	char to[PATH_MAX], text[4096];
	ssize_t got;
	int fd;

	(void)status;
	(void)f;
	(void)snprintf(to, sizeof to, "%s%s", reborn_to, path + strlen(reborn_from));
	if (type == FTW_D)
		return mkdir(to, 0700);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = read(fd, text, sizeof text);
	(void)close(fd); /* only read */
	fd = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (got < 0 || write(fd, text, (size_t)got) != got)
		return -1;
	return close(fd);
}

void fake_reborn(const struct fake_root *root, const char *path)
{
	(void)snprintf(reborn_from, sizeof reborn_from, "%s/%s", root->top, path);
	(void)snprintf(reborn_to, sizeof reborn_to, "%s/reborn", root->top);
	assert_int_equal(nftw(reborn_from, copy_one, 8, FTW_PHYS), 0);
	fake_remove(root, path); /* after the copy, so that the inodes differ */
	assert_int_equal(rename(reborn_to, reborn_from), 0);
}

/* ---- a source at work ---- */

int fake_setup(void **bench)
{
	struct fake_bench *made = calloc(1, sizeof *made);

	if (!made)
		return -1;
	fake_root_make(&made->root);
	*bench = made;
	return 0;
}

int fake_teardown(void **bench)
{
	struct fake_bench *done = *bench;

	if (done->source)
		done->source->close(done->state);
	devices_close(done->devices);
	sink_fini(&done->sink);
	fake_root_remove(&done->root);
	free(done);
	return 0;
}

void fake_start(struct fake_bench *bench, const struct source *source)
{
	struct fault fault;

	bench->source = source;
	if (!source->open(&bench->state, &bench->root.env, &fault))
		fail_msg("%s", fault.text);
}

const struct sink *fake_tick(struct fake_bench *bench)
{
	struct fault fault;

	bench->now += NSEC_PER_SEC;
	sink_begin(&bench->sink);
	if (bench->source->look)
		bench->source->look(bench->state, &bench->sink, bench->now);
	if (!bench->source->read(bench->state, &bench->sink, bench->now, &fault))
		fail_msg("%s", fault.text);
	return &bench->sink;
}

void fake_look(struct fake_bench *bench, enum kind kind)
{
	struct fault fault;

	if (!bench->devices)
		bench->devices = devices_open(&bench->root.env, kind, &fault);
	if (!bench->devices)
		fail_msg("%s", fault.text);
	bench->now += NSEC_PER_SEC;
	devices_refresh(bench->devices, bench->now, 0);
}

bool fake_shown(const struct fake_bench *bench, const char *key)
{
	return devices_find(bench->devices, key) >= 0;
}

const struct device *fake_device(const struct fake_bench *bench, const char *key)
{
	long index = devices_find(bench->devices, key);

	if (index < 0)
		fail_msg("%s is not shown", key);
	return devices_at(bench->devices, (size_t)index);
}

/* ---- readings ---- */

enum why fake_why(
	const struct sink *sink, const char *name, unsigned raw, uint64_t *value)
{
	enum why why = WHY_ABSENT;

	for (size_t i = 0; i < sink->reading_count; i++) {
		const struct sink_reading *reading = &sink->readings[i];

		if (reading->raw != raw ||
			strcmp(sink->subjects[reading->subject].name, name) != 0)
			continue;
		if (why != WHY_ABSENT)
			fail_msg("%s has reading %u twice", name, raw);
		why = (enum why)reading->why;
		if (value)
			*value = reading->value;
	}
	return why;
}

uint64_t fake_value(const struct sink *sink, const char *name, unsigned raw)
{
	uint64_t value = 0;
	enum why why = fake_why(sink, name, raw, &value);

	if (why != WHY_NONE)
		fail_msg("%s has no reading %u: %s", name, raw, why_word(why));
	return value;
}

bool fake_event(const struct sink *sink, const char *text)
{
	for (size_t i = 0; i < sink->event_count; i++)
		if (!strcmp(sink->events[i], text))
			return true;
	return false;
}

const struct subject *fake_subject(const struct sink *sink, const char *name)
{
	for (size_t i = sink->subject_count; i > 0; i--)
		if (!strcmp(sink->subjects[i - 1].name, name))
			return &sink->subjects[i - 1];
	fail_msg("no subject %s", name);
	return NULL;
}
