/*
 * The rows of the compare page, worst first, and the evidence of one of them.
 */
#ifndef WEIR_TUI_COMPARE_H
#define WEIR_TUI_COMPARE_H

#include "core/unit.h"
#include "tui/scene.h"

enum {
	EVIDENCE_ROWS = 7 /* and two of peaks, for a queue that has them */
};

struct compare_side {
	bool known;
	double num, mean, median, p95;
	const struct summary *summary;
};

/* One row. */
struct comparing {
	const struct subject *subject;
	const struct metric *metric;
	struct unit_scale scale;
	struct compare_side a, b;
	const struct verdict *verdict; /* or null */
	bool events;
};

void compare_track(const struct scene *scene, uint32_t track, struct comparing *c);

/* The place of the selected row in the judge's order; the first one where none is. */
size_t compare_place(const struct scene *scene);
/* Its track; UINT32_MAX where there is no row. */
uint32_t compare_selected(const struct scene *scene);

/* Lines around the rows: what was asked of the disks; devices and rows that are not
 * compared; what changed on the host. "" where there is nothing to say. */
void compare_load(const struct scene *scene, char *to, size_t size);
void compare_apart(const struct scene *scene, char *to, size_t size);
void compare_host(const struct scene *scene, char *to, size_t size);

/* The lines that evidence_draw has. */
int evidence_rows(const struct scene *scene);
/* The selected row: the two spreads on one scale, the verdict in words, what it rests
 * on; of a queue its peaks. */
void evidence_draw(const struct scene *scene, struct canvas *canvas);

#endif
