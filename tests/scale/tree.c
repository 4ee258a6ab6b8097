/*
 * A /proc and /sys of a big host, synthetic: multipath maps over iSCSI disks, and
 * network interfaces. What is the same everywhere is one file with many names, so that
 * the tree takes little memory. tree FOLDER MAPS PATHS NICS          makes FOLDER/proc
 * and FOLDER/sys tree FOLDER MAPS PATHS NICS SHARE    and then does I/O on SHARE of the
 * maps, in percent, once a second until it is killed
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HBA "sys/devices/pci0000:3a/0000:3b:00.0"

enum {
	NAME = 32,
	PATH = 320
};

static unsigned maps, paths, nics;
static uint64_t seconds; /* of I/O so far */

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- files and links ---- */

static void __attribute__((format(printf, 2, 3)))
text_to(char path[PATH], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (vsnprintf(path, PATH, format, args) >= PATH) {
		errno = ENAMETOOLONG;
		fail(path);
	}
	va_end(args);
}

/* The folder and those above it. */
static void folder(const char *path)
{
	char part[PATH];

	for (const char *at = strchr(path, '/');; at = strchr(at + 1, '/')) {
		text_to(part, "%.*s", at ? (int)(at - path) : (int)strlen(path), path);
		if (mkdir(part, 0755) && errno != EEXIST)
			fail(part);
		if (!at)
			return;
	}
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	size_t length = strlen(text);

	if (fd < 0 || write(fd, text, length) != (ssize_t)length || close(fd))
		fail(path);
}

/* FOLDER/NAME holds TEXT: a further name of the file in `texts` that does. */
static void file(const char *at, const char *name, const char *text)
{
	char path[PATH], same[PATH];
	char *end;

	text_to(same, "texts/%s", text);
	for (char *c = same + strlen("texts/"); *c; c++)
		if (*c == '/' || *c == '\n')
			*c = '_';
	if (access(same, F_OK))
		write_file(same, text);
	text_to(path, "%s/%s", at, name);
	if (!link(same, path))
		return;
	end = strrchr(path, '/');
	*end = 0;
	folder(path);
	*end = '/';
	if (link(same, path))
		fail(path);
}

static void link_to(const char *path, const char *target)
{
	if (symlink(target, path))
		fail(path);
}

/* ---- names ---- */

/* 0: a, 25: z, 26: aa, as the kernel counts SCSI disks. */
static void disk_name(unsigned number, char name[NAME])
{
	char letters[8];
	size_t count = 0;

	for (number++; number; number = (number - 1) / 26)
		letters[count++] = (char)('a' + (number - 1) % 26);
	(void)snprintf(name, NAME, "sd");
	for (size_t i = 2; count; i++) {
		name[i] = letters[--count];
		name[i + 1] = 0;
	}
}

static unsigned disk_of(unsigned map, unsigned path)
{
	return path * maps + map; /* a session finds all its disks at once */
}

/* ---- devices ---- */

static void queue_files(const char *at)
{
	static const char *const rows[][2] = {{"queue/iostats", "1\n"},
		{"queue/nomerges", "0\n"}, {"queue/nr_requests", "256\n"},
		{"queue/max_sectors_kb", "1280\n"}, {"queue/read_ahead_kb", "128\n"},
		{"queue/rotational", "1\n"},
		{"queue/scheduler", "[none] mq-deadline\n"},
		{"queue/write_cache", "write back\n"}, {"size", "209715200\n"},
		{"ro", "0\n"}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		file(at, rows[i][0], rows[i][1]);
}

static void own_file(const char *at, const char *name, const char *text)
{
	char path[PATH];

	text_to(path, "%s/%s", at, name);
	write_file(path, text);
}

static void make_path(unsigned map, unsigned path)
{
	static const char *const rows[][2] = {{"vendor", "SYNTH\n"}, {"model", "LUN\n"},
		{"rev", "0001\n"}, {"state", "running\n"}, {"queue_depth", "32\n"},
		{"timeout", "30\n"}};
	char lun[PATH], at[PATH], to[PATH], text[64], name[NAME];

	disk_name(disk_of(map, path), name);
	text_to(lun, HBA "/host1/session%u/target1:0:%u/1:0:%u:%u", path + 1, path,
		path, map);
	text_to(at, "%s/block/%s", lun, name);
	folder(at);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		file(lun, rows[i][0], rows[i][1]);
	(void)snprintf(text, sizeof text, "naa.600140500000000000%010u\n", map);
	own_file(lun, "wwid", text);
	queue_files(at);
	file(at, "mq/0/nr_tags", "128\n");
	own_file(at, "inflight", "       0        0\n");
	text_to(to, "%s/device", at);
	link_to(to, "../..");
	text_to(to, "%s/slaves", at);
	folder(to);
	text_to(to, "%s/holders", at);
	folder(to);
	text_to(to, "%s/holders/dm-%u", at, map);
	(void)snprintf(text, sizeof text, "/sys/block/dm-%u", map);
	link_to(to, text);
	text_to(to, "sys/block/%s", name);
	text_to(at, "../%s/block/%s", lun + strlen("sys/"), name);
	link_to(to, at);
}

static void make_map(unsigned map)
{
	char at[PATH], to[PATH], text[64], name[NAME];

	text_to(at, "sys/devices/virtual/block/dm-%u", map);
	text_to(to, "%s/slaves", at);
	folder(to);
	text_to(to, "%s/holders", at);
	folder(to);
	queue_files(at);
	file(at, "dm/suspended", "0\n");
	(void)snprintf(text, sizeof text, "lun%04u\n", map);
	own_file(at, "dm/name", text);
	(void)snprintf(text, sizeof text, "mpath-3600140500000000000%010u\n", map);
	own_file(at, "dm/uuid", text);
	own_file(at, "inflight", "       0        0\n");
	for (unsigned path = 0; path < paths; path++) {
		disk_name(disk_of(map, path), name);
		text_to(to, "%s/slaves/%s", at, name);
		(void)snprintf(text, sizeof text, "/sys/block/%s", name);
		link_to(to, text);
	}
	text_to(to, "sys/block/dm-%u", map);
	text_to(at, "../devices/virtual/block/dm-%u", map);
	link_to(to, at);
}

static void make_session(unsigned path)
{
	char at[PATH], text[64];

	text_to(at, "sys/class/iscsi_session/session%u", path + 1);
	folder(at);
	file(at, "state", "LOGGED_IN\n");
	file(at, "recovery_tmo", "120\n");
	file(at, "targetname", "iqn.2026-01.test:san\n");
	text_to(at, "sys/class/iscsi_connection/connection%u:0", path + 1);
	folder(at);
	(void)snprintf(text, sizeof text, "10.0.%u.1\n", path);
	own_file(at, "persistent_address", text);
	own_file(at, "address", text);
	file(at, "persistent_port", "3260\n");
	file(at, "port", "3260\n");
}

static void make_nic(unsigned nic)
{
	static const char *const zeros[] = {"rx_dropped", "tx_dropped",
		"rx_missed_errors", "rx_fifo_errors", "rx_crc_errors",
		"rx_frame_errors", "rx_length_errors", "rx_over_errors", "rx_nohandler",
		"tx_carrier_errors", "tx_fifo_errors", "tx_aborted_errors",
		"tx_heartbeat_errors", "tx_window_errors", "multicast"};
	char at[PATH], to[PATH], text[64];

	text_to(at, "sys/devices/pci0000:80/0000:81:%02x.0/net/eth%u", nic, nic);
	text_to(to, "%s/statistics", at);
	folder(to);
	for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
		file(to, zeros[i], "0\n");
	(void)snprintf(text, sizeof text, "02:00:00:00:00:%02x\n", nic);
	own_file(at, "address", text);
	file(at, "carrier", "1\n");
	file(at, "carrier_changes", "1\n");
	file(at, "operstate", "up\n");
	file(at, "mtu", "1500\n");
	file(at, "speed", "10000\n");
	file(at, "duplex", "full\n");
	text_to(to, "%s/device", at);
	link_to(to, "../..");
	text_to(to, "sys/class/net/eth%u", nic);
	text_to(at, "../../devices/pci0000:80/0000:81:%02x.0/net/eth%u", nic, nic);
	link_to(to, at);
}

/* ---- counters ---- */

static void put_disk(
	FILE *to, unsigned major, unsigned minor, const char *name, bool busy)
{
	uint64_t ops = busy ? 100 * seconds : 0;

	(void)fprintf(to,
		"%4u %7u %s %llu 0 %llu %llu %llu 0 %llu %llu 0 %llu %llu 0 0 0 0 0 "
		"0\n",
		major, minor, name, (unsigned long long)(1000 + ops),
		(unsigned long long)(8000 + ops * 8), (unsigned long long)(1000 + ops),
		(unsigned long long)(500 + ops), (unsigned long long)(4000 + ops * 16),
		(unsigned long long)(700 + ops * 3),
		(unsigned long long)(100 + (busy ? seconds * 900 : 0)),
		(unsigned long long)(1700 + ops * 4));
}

static FILE *begin(const char *path)
{
	FILE *to = fopen(path, "we");

	if (!to)
		fail(path);
	return to;
}

static void put_all(unsigned busy)
{
	FILE *to = begin("proc/new");
	char name[NAME];

	for (unsigned i = 0; i < maps * paths; i++) {
		disk_name(i, name);
		put_disk(to, 8, i * 16, name, i % maps < busy);
	}
	for (unsigned i = 0; i < maps; i++) {
		(void)snprintf(name, sizeof name, "dm-%u", i);
		put_disk(to, 253, i, name, i < busy);
	}
	if (fclose(to) || rename("proc/new", "proc/diskstats"))
		fail("proc/diskstats");
	to = begin("proc/net/new");
	(void)fprintf(to, "Inter-|   Receive |  Transmit\n face |bytes\n");
	for (unsigned i = 0; i < nics; i++)
		(void)fprintf(to,
			"  eth%u: %llu %llu 0 0 0 0 0 0 %llu %llu 0 0 0 0 0 0\n", i,
			(unsigned long long)(1000000 + seconds * 1250000),
			(unsigned long long)(1000 + seconds * 1000),
			(unsigned long long)(500000 + seconds * 625000),
			(unsigned long long)(700 + seconds * 700));
	if (fclose(to) || rename("proc/net/new", "proc/net/dev"))
		fail("proc/net/dev");
}

static void be_busy(unsigned busy)
{
	char at[PATH];

	for (unsigned i = 0; i < busy; i++) {
		text_to(at, "sys/devices/virtual/block/dm-%u/inflight", i);
		write_file(at, "       1        0\n");
	}
	for (struct timespec second = {1, 0};; nanosleep(&second, NULL)) {
		seconds++;
		put_all(busy);
	}
}

int main(int argc, char **argv)
{
	if (argc < 5 || chdir(argv[1])) {
		(void)fprintf(stderr, "usage: tree FOLDER MAPS PATHS NICS [PERCENT]\n");
		return 2;
	}
	maps = (unsigned)strtoul(argv[2], NULL, 10);
	paths = (unsigned)strtoul(argv[3], NULL, 10);
	nics = (unsigned)strtoul(argv[4], NULL, 10);
	if (access("texts", F_OK)) {
		static const char *const folders[] = {"texts", "proc/net", "sys/block",
			"sys/class/net", "sys/class/scsi_host"};

		for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
			folder(folders[i]);
		for (unsigned path = 0; path < paths; path++)
			make_session(path);
		for (unsigned map = 0; map < maps; map++) {
			for (unsigned path = 0; path < paths; path++)
				make_path(map, path);
			make_map(map);
		}
		for (unsigned nic = 0; nic < nics; nic++)
			make_nic(nic);
		put_all(0);
	}
	if (argc > 5)
		be_busy(maps * (unsigned)strtoul(argv[5], NULL, 10) / 100);
	return 0;
}
