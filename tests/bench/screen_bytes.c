/*
 * Bytes that a screen sends per tick. `screen_bytes ROWS COLUMNS` draws a made-up
 * session in which every row changes at every tick, through the real terminal code
 * into a pseudo terminal, and counts what comes out. With a command behind it, that
 * command is run in the same terminal for 20 s instead: bytes per second.
 */
#include "config.h"

#include "../golden/stage.h"

#include "base/clock.h"
#include "packet/class.h"
#include "tui/screen.h"
#include "tui/terminal.h"

#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TICKS = 100,
	DISKS = 6,
	NICS = 3,
	COMMAND_S = 20
};

static uint64_t next(uint64_t most)
{
	static uint64_t seed = 1;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % most;
}

static void disk_tick(struct stage *stage, int number)
{
	char name[] = "mpath0";
	uint64_t queue = next(60), ops = 100 + next(5000);
	uint32_t disk;

	name[5] = (char)('a' + number);
	disk = stage_subject(stage, KIND_DISK, name, "");
	stage_add(stage, disk, RAW_DISK_READ_OPS, ops);
	stage_add(stage, disk, RAW_DISK_READ_SECTORS, ops * (8 + next(100)));
	stage_add(stage, disk, RAW_DISK_READ_MS, ops * (1 + next(40)));
	stage_add(stage, disk, RAW_DISK_WRITE_OPS, ops / 2);
	stage_add(stage, disk, RAW_DISK_WRITE_SECTORS, ops * (8 + next(100)));
	stage_add(stage, disk, RAW_DISK_WRITE_MS, ops * (1 + next(40)));
	stage_add(stage, disk, RAW_DISK_WEIGHTED_MS, queue * 1000 + next(1000));
	stage_set(stage, disk, RAW_DISK_INFLIGHT_MAX, queue + next(9));
}

static void net_tick(struct stage *stage, int number)
{
	char name[] = "eth0";
	uint32_t nic;

	name[3] = (char)('0' + number);
	nic = stage_subject(stage, KIND_NIC, name, "");
	stage_set(stage, nic, RAW_NET_SPEED, UINT64_C(10000000000));
	stage_add(stage, nic, RAW_NET_RX_BYTES, next(1250000000));
	stage_add(stage, nic, RAW_NET_TX_BYTES, next(1250000000));
	stage_add(stage, nic, RAW_NET_RX_ERRORS, next(9));
	stage_add(stage, nic, RAW_NET_TX_ERRORS, 0);
	stage_add(stage, nic, RAW_NET_RX_DROPPED, next(9));
	stage_add(stage, nic, RAW_NET_TX_DROPPED, 0);
	stage_add(stage, nic, RAW_CAPTURE_FRAMES, 1000);
	for (unsigned class = 0; class < 3; class ++)
		stage_add(stage, nic, raw_packet(class, PACKET_RX), next(5));
}

static void tick(struct stage *stage, int number)
{
	if (number == 5)
		stage_window(stage, ROLE_BEFORE, "BEFORE", 4, 30);
	if (number == 35)
		stage_window(stage, ROLE_AFTER, "AFTER", 34, -1);
	for (int i = 0; i < DISKS; i++)
		disk_tick(stage, i);
	for (int i = 0; i < NICS; i++)
		net_tick(stage, i);
	stage_tick(stage, 1, GAP_NONE);
}

/* In the pseudo terminal: one drawing per byte from the pipe GO. */
static int draw_ticks(int go, int rows, int columns)
{
	struct status status = {.recording = true};
	struct canvas canvas = {0};
	struct theme theme;
	struct stage stage;
	struct view view;
	const char *top = getenv("WEIR_BENCH_THEMES"); /* colours cost bytes, too */
	char hint[64], byte;

	stage_init(&stage, "bench");
	view_init(&view);
	(void)theme_load(&theme, top ? top : "themes", "default", NULL);
	if (!terminal_open(hint, sizeof hint, NULL))
		return 1;
	terminal_theme(&theme);
	canvas_resize(&canvas, rows, columns);
	for (int i = 0; read(go, &byte, 1) == 1; i++) {
		tick(&stage, i);
		screen_draw(stage.session, &view, &status, &canvas);
		while (!terminal_draw(&canvas))
			(void)poll(NULL, 0, 1); /* until the reader has read */
	}
	terminal_close();
	return 0;
}

/* What the terminal sends until it is silent for MS, at most until the time is up. */
static long drain(int master, int ms, nsec until)
{
	struct pollfd in = {.fd = master, .events = POLLIN};
	long total = 0;
	char bytes[8192];

	while (clock_mono() < until && poll(&in, 1, ms) == 1) {
		ssize_t count = read(master, bytes, sizeof bytes);

		if (count <= 0)
			break;
		total += count;
	}
	return total;
}

static void measure_ticks(int master, int go, int rows, int columns)
{
	long total = 0;

	for (int i = 0; i < TICKS; i++) {
		long bytes;

		if (write(go, "x", 1) != 1)
			return;
		bytes = drain(master, 60, INT64_MAX);
		total += i < TICKS / 2 ? 0 : bytes; /* once all windows are there */
	}
	(void)printf("weir %dx%d, every row changing: %ld bytes per tick\n", columns,
		rows, total / (TICKS / 2));
}

static void measure_command(int master, const char *name, int rows, int columns)
{
	nsec from = clock_mono() + 3 * NSEC_PER_SEC;
	long bytes;

	(void)drain(master, 3000, from); /* the first full picture */
	bytes = drain(master, 3000, from + COMMAND_S * NSEC_PER_SEC);
	(void)printf("%s %dx%d: %ld bytes per second\n", name, columns, rows,
		bytes / COMMAND_S);
}

int main(int argc, char **argv)
{
	struct winsize size = {0};
	int master, go[2];
	pid_t child;

	(void)setlocale(LC_CTYPE, "");
	if (argc < 3 || pipe(go))
		return 2;
	size.ws_row = (unsigned short)strtoul(argv[1], NULL, 10);
	size.ws_col = (unsigned short)strtoul(argv[2], NULL, 10);
	child = forkpty(&master, NULL, NULL, &size);
	if (child < 0)
		return 1;
	if (child == 0) {
		(void)setenv("TERM", "xterm-256color", 1);
		(void)close(go[1]);
		if (argc == 3)
			_exit(draw_ticks(go[0], size.ws_row, size.ws_col));
		(void)execvp(argv[3], argv + 3);
		_exit(127);
	}
	(void)close(go[0]);
	if (argc == 3)
		measure_ticks(master, go[1], size.ws_row, size.ws_col);
	else
		measure_command(master, argv[3], size.ws_row, size.ws_col);
	(void)kill(child, SIGTERM);
	(void)close(go[1]);
	(void)close(master);
	(void)waitpid(child, NULL, 0);
	return 0;
}
