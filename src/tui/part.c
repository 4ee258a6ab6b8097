/* Rows of network mounts and storage peers; see the header. */
#include "config.h"

#include "tui/part.h"

#include "base/text.h"
#include "core/unit.h"

#include <string.h>

enum {
	NAME_LEAST = 20, /* of the first column */
};

#define COUNT(list) (int)(sizeof(list) / sizeof *(list))

/* They keep the order of discovery: the pane above is what is sorted. */
static double no_key(const struct scene *scene, uint32_t subject, int sort)
{
	(void)scene;
	(void)subject;
	(void)sort;
	return 0;
}

static const char *const mount_activity[] = {
	"mount.read.ops", "mount.write.ops", "mount.other.ops", NULL};
static const char *const transport_activity[] = {
	"transport.read.ops", "transport.write.ops", NULL};
static const char *const connection_activity[] = {"connection.answers", NULL};
static const char *const call_activity[] = {"call.ops", NULL};
static const char *const counter_activity[] = {"counter.events", NULL};
static const char *const peer_activity[] = {
	"peer.rx.bytes", "peer.tx.bytes", "peer.segments", NULL};

/* clang-format off */
static const struct part_column mount_columns[] = {
	{"v BEFORE",  NULL,                  PART_VERDICT, 9},
	{"in flight", "mount.inflight",      PART_WHOLE, 10},
	{"r",         "mount.read.bytes",    PART_BYTES, 8},
	{"w",         "mount.write.bytes",   PART_BYTES, 8},
	{"r ms",      "mount.read.execute",  PART_MS,    7},
	{"w ms",      "mount.write.execute", PART_MS,    7},
	{"wire",      "mount.signed",        PART_WIRE,  10},
	{"again/s",   "mount.retrans",       PART_PLAIN, 8},
	{"r/s",       "mount.read.ops",      PART_PLAIN, 7},
	{"w/s",       "mount.write.ops",     PART_PLAIN, 7},
	{"other/s",   "mount.other.ops",     PART_PLAIN, 8},
	{"fail/s",    "mount.errors",        PART_PLAIN, 7},
};
static const struct part_column connection_columns[] = {
	{"in flight", "connection.inflight", PART_WHOLE, 10},
	{"at send",   "connection.depth",    PART_PLAIN, 8},
	{"no slot",   "connection.backlog",  PART_PLAIN, 8},
	{"answers/s", "connection.answers",  PART_PLAIN, 10},
	{"late/s",    "connection.late",     PART_PLAIN, 7},
	{"slots",     "connection.slots",    PART_WHOLE, 6},
	{"credits",   "connection.credits",  PART_WHOLE, 8},
};
static const struct part_column call_columns[] = {
	{"calls/s", "call.ops",      PART_PLAIN, 9},
	{"ms",      "call.rtt",      PART_MS,    7},
	{"whole ms", "call.execute", PART_MS,    9},
	{"rx",      "call.rx.bytes", PART_BYTES, 8},
	{"tx",      "call.tx.bytes", PART_BYTES, 8},
	{"again/s", "call.retrans",  PART_PLAIN, 8},
	{"fail/s",  "call.errors",   PART_PLAIN, 7},
};
static const struct part_column counter_columns[] = {
	{"events/s", "counter.events", PART_PLAIN, 10},
};
static const struct part_column peer_columns[] = {
	{"v BEFORE", NULL,               PART_VERDICT, 9},
	{"rx",      "peer.rx.bytes",    PART_BITS,  9},
	{"tx",      "peer.tx.bytes",    PART_BITS,  9},
	{"retr/s",  "peer.retrans",     PART_PLAIN, 7},
	{"rtt ms",  "peer.rtt",         PART_MS,    7},
	{"read ms", "peer.response.read", PART_MS, 8},
	{"write ms", "peer.response.write", PART_MS, 9},
	{"twice/s", "peer.dsack",       PART_PLAIN, 8},
	{"ooo/s",   "peer.ooo",         PART_PLAIN, 7},
	{"conns",   "peer.connections", PART_WHOLE, 6},
	{"min ms",  "peer.minrtt",      PART_MS,    7},
	{"cwnd",    "peer.cwnd",        PART_WHOLE, 7},
	{"pmtu",    "peer.pmtu",        PART_WHOLE, 7},
};
static const struct part_column transport_columns[] = {
	{"v BEFORE", NULL,                 PART_VERDICT, 9},
	{"state",   "transport.up",          PART_UP,    7},
	{"queue",   "transport.queue",       PART_PLAIN, 7},
	{"r",       "transport.read.bytes",  PART_BYTES, 8},
	{"w",       "transport.write.bytes", PART_BYTES, 8},
	{"r ms",    "transport.read.await",  PART_MS,    7},
	{"w ms",    "transport.write.await", PART_MS,    7},
	{"disks",   "transport.disks",       PART_WHOLE, 6},
	{"r/s",     "transport.read.ops",    PART_PLAIN, 7},
	{"w/s",     "transport.write.ops",   PART_PLAIN, 7},
	{"rx",      "fc.rx.bytes",           PART_BYTES, 8},
	{"tx",      "fc.tx.bytes",           PART_BYTES, 8},
};
/* clang-format on */

const struct part part_mounts = {"NETWORK MOUNTS",
	{PANE_DISK, KIND_MOUNT, mount_activity, no_key}, mount_columns,
	COUNT(mount_columns)};
/* Of the zoomed panes: what mounts and cards are made of. */
const struct part part_connections = {"CONNECTIONS OF MOUNTS",
	{PANE_DISK, KIND_CONNECTION, connection_activity, no_key}, connection_columns,
	COUNT(connection_columns)};
const struct part part_calls = {"OPERATIONS OF MOUNTS",
	{PANE_DISK, KIND_CALL, call_activity, no_key}, call_columns,
	COUNT(call_columns)};
const struct part part_counters = {"COUNTERS OF DRIVERS",
	{PANE_NET, KIND_COUNTER, counter_activity, no_key}, counter_columns,
	COUNT(counter_columns)};
const struct part part_peers = {"STORAGE PEERS",
	{PANE_NET, KIND_PEER, peer_activity, no_key}, peer_columns,
	COUNT(peer_columns)};
const struct part part_transports = {"STORAGE TRANSPORTS",
	{PANE_NET, KIND_TRANSPORT, transport_activity, no_key}, transport_columns,
	COUNT(transport_columns)};

static const struct {
	const char *word;
	double factor;
} bits[] = {{" b/s", 8}, {" MiB/s", 1.0 / 1048576}, {" b/s", 8}},
  bytes[] = {{" MB/s", 1e-6}, {" MiB/s", 1.0 / 1048576}, {" Mb/s", 8e-6}};

static double factor_of(const struct scene *scene, enum part_unit unit)
{
	if (unit == PART_BITS)
		return bits[scene->view->units].factor;
	if (unit == PART_BYTES)
		return bytes[scene->view->units].factor;
	return unit == PART_MS ? 1e3 : 1;
}

static const char *word_of(const struct scene *scene, enum part_unit unit)
{
	if (unit == PART_BITS)
		return bits[scene->view->units].word;
	return unit == PART_BYTES ? bytes[scene->view->units].word : "";
}

/* How many columns there is room for, and where the first of them begins. */
static int fit(const struct part *part, int width, int *start)
{
	int count = 0;

	*start = width;
	while (count < part->count && *start - part->columns[count].width >= NAME_LEAST)
		*start -= part->columns[count++].width;
	return count;
}

/* Signing and encryption are work of one core: it stands beside them. */
static void draw_core(const struct scene *scene, struct canvas *line, int room)
{
	int host = session_find_subject(scene->session, KIND_HOST, "host");
	enum {
		AT = 19 /* behind the title */
	};
	struct value busy;
	struct rows rows;
	bool any = false;
	char text[40];

	rows_of(&part_mounts.source, scene, &rows);
	for (size_t i = 0; i < rows.count; i++)
		any |= scene_figure(scene, rows.items[i], "mount.signed").why ==
		       WHY_NONE;
	if (!any || host < 0)
		return;
	busy = scene_figure(scene, (uint32_t)host, "cpu.busiest");
	(void)text_format(
		text, sizeof text, "busiest core %.0f%%", busy.value * 100); /* short */
	if (busy.why == WHY_NONE && room >= AT + (int)text_columns(text))
		canvas_text(line, 0, AT, CELL_HEADER, text);
}

static void draw_head(
	const struct part *part, const struct scene *scene, struct canvas *line)
{
	int at, count = fit(part, line->width, &at);

	canvas_fill(line, (struct spot){0, 0, CELL_HEADER}, line->width, ' ');
	canvas_text(line, 0, 3, CELL_TITLE, part->title);
	if (part == &part_mounts)
		draw_core(scene, line, at);
	for (int i = 0; i < count; i++) {
		const struct part_column *column = &part->columns[i];
		struct cell cell = {.scene = scene, .role = CELL_HEADER};
		char head[32];

		(void)text_format(head, sizeof head, "%s%s", column->title,
			word_of(scene, column->unit)); /* short texts of this file */
		cell.canvas = canvas_part(line, 0, at + 1, 1, column->width - 1);
		cell_right(&cell, head);
		at += column->width;
	}
}

/* The figure of the row that says most: one that is worse, else better, else the
 * first one. */
static int telling_track(const struct part *part, const struct cell *cell)
{
	static const enum verdict_word words[] = {VERDICT_WORSE, VERDICT_MIXED,
		VERDICT_BETTER, VERDICT_HIGHER, VERDICT_LOWER};
	int found = -1;
	size_t best = sizeof words / sizeof *words;

	for (int i = 0; i < part->count; i++) {
		const char *metric = part->columns[i].metric;
		int track =
			metric ? scene_find(cell->scene, (uint32_t)cell->item, metric)
			       : -1;
		const struct verdict *verdict = scene_verdict(cell->scene, track);

		found = found < 0 ? track : found;
		for (size_t w = 0; verdict && w < best; w++)
			if (verdict->word == words[w]) {
				best = w;
				found = track;
			}
	}
	return found;
}

/* How an SMB mount is protected on the wire; nothing of others. */
static void draw_wire(struct cell *cell, struct value is_signed)
{
	struct value encrypted =
		scene_figure(cell->scene, (uint32_t)cell->item, "mount.encrypted");

	if (is_signed.why != WHY_NONE || encrypted.why != WHY_NONE)
		return;
	cell_right(cell, encrypted.value > 0   ? "encrypted"
			 : is_signed.value > 0 ? "signed"
					       : "plain");
}

/* "STALL 27s" where the figures of traffic would be: there is none. */
static bool draw_stall(struct cell *cell)
{
	const struct stall *stall = session_stall(
		cell->scene->session, (uint32_t)cell->item, cell->scene->at);
	char age[24], text[48];

	if (!stall)
		return false;
	unit_duration(age, sizeof age, cell->scene->at - stall->from);
	(void)text_format(
		text, sizeof text, "%s %s", stall_word(stall->kind), age); /* short */
	canvas_text(&cell->canvas, 0, 0, CELL_WORSE, text);
	return true;
}

static void draw_figure(struct cell *cell, const struct part_column *column)
{
	struct value value =
		scene_figure(cell->scene, (uint32_t)cell->item, column->metric);

	if (column->unit == PART_WIRE) {
		draw_wire(cell, value);
		return;
	}
	if (column->unit == PART_UP && value.why == WHY_NONE)
		cell_right(cell, value.value > 0.5 ? "up" : "DOWN");
	else if (column->unit == PART_WHOLE || column->unit == PART_UP)
		cell_amount(cell, value);
	else
		cell_metric(cell, column->metric, factor_of(cell->scene, column->unit));
}

static void draw_row(const struct part *part, const struct scene *scene,
	struct canvas *line, uint32_t subject)
{
	int at, count = fit(part, line->width, &at);
	struct cell cell = {.scene = scene, .item = subject};

	cell.canvas = canvas_part(line, 0, 0, 1, at - 1);
	rows_name(&cell);
	for (int i = 0; i < count; i++) {
		const struct part_column *column = &part->columns[i];

		cell.role = CELL_VALUE;
		cell.canvas = canvas_part(line, 0, at + 1, 1, line->width - at - 1);
		if (i && column[-1].metric && strstr(column[-1].metric, ".inflight") &&
			draw_stall(&cell))
			return;
		cell.canvas = canvas_part(line, 0, at + 1, 1, column->width - 1);
		if (column->unit == PART_VERDICT)
			cell_verdict(&cell, telling_track(part, &cell), "");
		else
			draw_figure(&cell, column);
		at += column->width;
	}
}

int part_wants(const struct part *part, const struct scene *scene)
{
	struct rows rows;

	rows_of(&part->source, scene, &rows);
	return rows.count ? (int)rows.count + 1 : 0;
}

struct canvas part_draw(const struct part *part, const struct scene *scene,
	struct canvas *canvas, int above)
{
	int height = canvas->height, lines = part_wants(part, scene);
	int most = height - above > height / 2 ? height - above : height / 2;
	struct rows rows;

	lines = lines < most ? lines : most;
	if (lines < 2)
		return *canvas;
	rows_of(&part->source, scene, &rows);
	for (int i = 0; i < lines; i++) {
		struct canvas line =
			canvas_part(canvas, height - lines + i, 0, 1, canvas->width);

		if (i)
			draw_row(part, scene, &line, rows.items[i - 1]);
		else
			draw_head(part, scene, &line);
	}
	if (rows.count + 1 > (size_t)lines)
		(void)canvas_format(canvas, (struct spot){height - lines, 20, CELL_DIM},
			"+%zu more", rows.count + 1 - (size_t)lines);
	return canvas_part(canvas, 0, 0, height - lines, canvas->width);
}
