/*
 * Figures of the windows, for the sections: which rows there are, in which order, and
 * what each says over a window.
 */
#ifndef WEIR_REPORT_FIGURES_H
#define WEIR_REPORT_FIGURES_H

#include "core/unit.h"
#include "report/section.h"

/* One metric of one subject over one window. */
struct figure {
	const struct summary *summary; /* null: nothing was put for it */
	bool known;                    /* there was at least one sample */
	double mean;
	double total;   /* sum of the numerator: bytes moved, events counted */
	double seconds; /* sum of the denominator of a rate: time that was seen */
	enum why why;   /* most frequent reason of missing samples; NONE: none */
	uint64_t missing;
};

struct figure figure_of(
	const struct comparison *comparison, size_t window, size_t track);
/* As above, by the subject and the metric's id. Not known if there is no such. */
struct figure figure_named(const struct comparison *comparison, size_t window,
	uint32_t subject, const char *metric);
double figure_quantile(const struct figure *figure, const struct metric *metric,
	double p); /* or NaN */

/* Subjects of KIND that have a track, real ones first, by name. Owned by the caller. */
uint32_t *figures_subjects(
	const struct comparison *comparison, enum kind kind, size_t *count);

/* "sda  /var/mail (detail)", with a word where it is stacked. */
void subject_title(const struct subject *subject, char *to, size_t size);

/* All figures of KIND that are averaged, as table "figures". Returns how many rows a
 * person is spared because they were 0 or missing in every window. */
size_t write_figures(const struct comparison *comparison, struct writer *writer,
	enum kind kind, enum unit_system system);

/* The verdict that counts for TRACK in WINDOW against A; null where there is none. */
const struct verdict *verdict_of(
	const struct comparison *comparison, size_t window, size_t track);
/* Verdict cells of a row: word for people, then low, high, p for machines. */
enum {
	VERDICT_CELLS = 4
};
extern const char *const verdict_cell_ids[VERDICT_CELLS];
void write_verdict(struct writer *writer, const struct verdict *verdict);

/* Table "verdicts": what is clear, worst first, and one line on all the others.
 * Returns false, and writes nothing, where nothing could be tested. */
bool write_verdicts(const struct comparison *comparison, struct writer *writer);
enum report_outcome verdicts_outcome(const struct comparison *comparison);

/* Table "headline", where there is any: peaks of the queue, bad packets in all. */
void write_headline(const struct comparison *comparison, struct writer *writer);

/* Table "load": what was asked of the busiest disks, beside A. */
void write_loads(const struct comparison *comparison, struct writer *writer);

/* Table "checksums": how many packets were found bad, out of how many judged. */
void write_checksums(const struct comparison *comparison, struct writer *writer);

/* Table "runs": commands that ran in the windows. Returns how many. */
size_t write_runs(const struct comparison *comparison, struct writer *writer);

/* Table "stalls": disks that completed nothing for long, in each window. */
void write_stalls(const struct comparison *comparison, struct writer *writer);

/* Table "happened": paths, sessions and links lost, counters reset, classes of bad
 * packets that are new. */
void write_happened(const struct comparison *comparison, struct writer *writer);

/* Table "alerts": how often thresholds were passed in each window. */
void write_alerts(const struct comparison *comparison, struct writer *writer);

/* Sections of what mounts are made of: connections, operation kinds; where there are
 * any. */
void write_parts(const struct comparison *comparison, struct writer *writer);

/* Table "signing": SMB mounts, as they were protected in each window. */
void write_signing(const struct comparison *comparison, struct writer *writer);

/* A count: "99999" whole, "4.10M" beyond. At most 5 columns. */
void count_text(char *to, size_t size, double count);

/* The ratio of B to A: for people as unit_ratio writes it. */
struct cell cell_ratio(double a, double b, const char *otherwise);

#endif
