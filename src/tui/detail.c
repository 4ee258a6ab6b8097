/* One disk in a line or two; see the header. */
#include "config.h"

#include "tui/detail.h"

#include "base/text.h"
#include "core/unit.h"

#include <string.h>

enum {
	LOOK_BACK = 30, /* ticks in which paths move and their map does not */
	TEXT = 700,
	LINES = 2
};

const char *detail_fact(const struct scene *scene, uint32_t subject, const char *key)
{
	const struct subject *of = &scene->session->subjects[subject];
	struct fact fact = {
		.kind = of->kind, .name = of->name, .id = of->id, .key = key};

	fact = facts_at(&scene->session->facts, &fact, scene->at);
	return fact.why == WHY_NONE ? fact.value : "";
}

static void add(char *text, size_t size, const char *between, const char *more)
{
	size_t used = strlen(text);

	if (*more) /* a cut line is still its beginning */
		(void)text_format(
			text + used, size - used, "%s%s", used ? between : "", more);
}

/* ---- whether it serves ---- */

static void add_stall(const struct scene *scene, uint32_t disk, char *text, size_t size)
{
	const struct stall *stall = session_stall(scene->session, disk, scene->at);
	char age[24], reason[96], line[160];

	if (!stall)
		return;
	stall_reason(stall, scene->at, reason, sizeof reason);
	unit_duration(age, sizeof age, scene->at - stall->from);
	(void)text_format(line, sizeof line, "%s %s%s%s.", stall_word(stall->kind), age,
		*reason ? ": " : "", reason); /* fits */
	add(text, size, " ", line);
}

static void add_paths(const struct scene *scene, uint32_t disk, char *text, size_t size)
{
	struct value all = scene_figure(scene, disk, "disk.paths");
	struct value usable = scene_figure(scene, disk, "disk.paths.usable");
	char line[64];

	if (all.why != WHY_NONE || usable.why != WHY_NONE)
		return;
	(void)text_format(line, sizeof line, "%.0f of %.0f paths usable", usable.value,
		all.value); /* fits */
	add(text, size, ", ", line);
}

/* ---- paths move, the map does not ---- */

/* Operations in the last ticks; -1: not one of them has a figure. */
static double moved(const struct scene *scene, uint32_t disk)
{
	int track = scene_find(scene, disk, "disk.ops");
	double sum = -1;
	enum tick_gap gap;

	for (size_t i = 0; track >= 0 && i < LOOK_BACK; i++) {
		struct value value = session_past(
			scene->session, (size_t)track, scene->back + i, &gap);

		if (value.why == WHY_NONE)
			sum = (sum < 0 ? 0 : sum) + value.value;
	}
	return sum;
}

static void add_bypass(
	const struct scene *scene, uint32_t disk, char *text, size_t size)
{
	double of_map = moved(scene, disk), of_paths = 0;
	const struct session *session = scene->session;

	for (uint32_t i = 0; i < session->subject_count; i++) {
		double one;

		if (session->subjects[i].kind != KIND_DISK ||
			strcmp(detail_fact(scene, i, "path_of"),
				session->subjects[disk].name) != 0)
			continue;
		one = moved(scene, i);
		of_paths += one > 0 ? one : 0;
	}
	if (!(of_paths > 0) || of_map > 0)
		return;
	add(text, size, ", ",
		of_map < 0 ? "counted by this kernel on the paths only"
			   : "the paths move and this device does not: something uses "
			     "them directly");
}

/* ---- packets ---- */

static void add_packets(
	const struct scene *scene, uint32_t disk, char *text, size_t size)
{
	const char *packets = detail_fact(scene, disk, "packets");
	struct value frames = {.why = WHY_ABSENT};
	char line[160];
	int nic;

	if (!*packets)
		return;
	if (!strncmp(packets, "no: ", 4)) {
		(void)text_format(line, sizeof line, "packets visible: no (%s)",
			packets + 4); /* cut at its room */
		add(text, size, " > ", line);
		return;
	}
	nic = session_find_subject(scene->session, KIND_NIC, packets);
	if (nic >= 0)
		frames = scene_figure(scene, (uint32_t)nic, "capture.frames");
	add(text, size, " > ", packets);
	if (frames.why == WHY_NONE || frames.why == WHY_FIRST || frames.why == WHY_GAP)
		add(text, size, " > ", "packets visible: yes");
	else
		add(text, size, " > ",
			nic < 0 ? "packets visible: no (this interface is not watched)"
				: "packets visible: no (no capture there)");
}

void detail_disk(const struct scene *scene, uint32_t disk, char *text, size_t size)
{
	const char *mounted = detail_fact(scene, disk, "mounted");
	char line[TEXT] = "";

	text[0] = 0;
	add_stall(scene, disk, text, size);
	if (scene_figure(scene, disk, "disk.queue").why == WHY_OFF)
		add(text, size, " ", "Accounting off (queue/iostats is 0).");
	add(line, sizeof line, "", detail_fact(scene, disk, "path"));
	add_packets(scene, disk, line, sizeof line);
	add_paths(scene, disk, line, sizeof line);
	if (*detail_fact(scene, disk, "below"))
		add_bypass(scene, disk, line, sizeof line);
	add(text, size, " ", line);
	if (*mounted) {
		add(text, size, "; ", "mounted at ");
		add(text, size, "", mounted);
	}
}

/* How much of TEXT goes into WIDTH columns, broken at a blank. */
static size_t fit(const char *text, int width)
{
	size_t length = strlen(text);

	while (length && text_columns(text) > (size_t)width) {
		char part[TEXT];

		while (length && text[length - 1] != ' ')
			length--;
		while (length && text[length - 1] == ' ')
			length--;
		(void)text_format(part, sizeof part, "%.*s", (int)length, text);
		if (text_columns(part) <= (size_t)width)
			break;
	}
	return length;
}

struct canvas detail_draw(
	const struct scene *scene, uint32_t disk, struct canvas *canvas)
{
	const char *name = scene->session->subjects[disk].name;
	char text[TEXT], line[TEXT + SUBJECT_NAME], *at = line;
	size_t first;
	int rows;

	detail_disk(scene, disk, text, sizeof text);
	if (!*text || canvas->width < 8 || canvas->height < 1)
		return *canvas;
	(void)text_format(line, sizeof line, "%s: %s", name, text); /* fits */
	first = fit(line, canvas->width - 2);
	rows = first && line[first] && canvas->height >= LINES ? LINES : 1;
	if (!first)
		first = strlen(line); /* one word without end: it is cut */
	for (int i = 0; i < rows; i++) {
		char part[TEXT + SUBJECT_NAME];

		(void)text_format(part, sizeof part, "%.*s",
			i ? (int)strlen(at) : (int)first, at);
		canvas_text(canvas, canvas->height - rows + i, 2, CELL_DIM, part);
		at += first;
		at += strspn(at, " ");
	}
	return canvas_part(canvas, 0, 0, canvas->height - rows, canvas->width);
}
