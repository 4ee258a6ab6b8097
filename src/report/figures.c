/* What a metric of a subject says over a window; see the header. */
#include "config.h"

#include "report/figures.h"

#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static void most_frequent(const struct summary *summary, struct figure *figure)
{
	uint64_t most = 0;

	for (unsigned why = WHY_NONE + 1; why < WHY_COUNT; why++) {
		figure->missing += summary->missing[why];
		if (summary->missing[why] > most) {
			most = summary->missing[why];
			figure->why = (enum why)why;
		}
	}
}

struct figure figure_of(
	const struct comparison *comparison, size_t window, size_t track)
{
	struct figure figure = {
		.summary = comparison->merged[window]
				   ? comparison->merged[window][track]
				   : session_summary(comparison->session,
					     comparison->windows[window]->id, track)};

	if (!figure.summary)
		return figure;
	figure.known = summary_mean(figure.summary, &figure.mean);
	figure.total = figure.summary->num;
	if (metric_at(comparison->session->tracks[track].metric)->unit == UNIT_PER_S)
		figure.total = round(figure.total); /* whole, but made of rates */
	figure.seconds = figure.summary->den;
	most_frequent(figure.summary, &figure);
	return figure;
}

struct figure figure_named(const struct comparison *comparison, size_t window,
	uint32_t subject, const char *metric)
{
	int id = metric ? metric_find(metric) : -1;
	int track =
		id < 0 ? -1 : session_track(comparison->session, subject, (unsigned)id);

	return track < 0 ? (struct figure){0}
			 : figure_of(comparison, window, (size_t)track);
}

double figure_quantile(
	const struct figure *figure, const struct metric *metric, double p)
{
	double value;

	if (!figure->known || !summary_quantile(figure->summary, metric, p, &value))
		return (double)NAN;
	return value;
}

static bool comes_before(const struct subject *a, const struct subject *b)
{
	unsigned stacked_a = a->flags & SUBJECT_STACKED;
	unsigned stacked_b = b->flags & SUBJECT_STACKED;
	int order = strcmp(a->name, b->name);

	if (stacked_a != stacked_b)
		return stacked_a < stacked_b;
	return order ? order < 0 : strcmp(a->id, b->id) < 0;
}

uint32_t *figures_subjects(
	const struct comparison *comparison, enum kind kind, size_t *count)
{
	const struct session *session = comparison->session;
	uint32_t *list = xarray(session->subject_count + 1, sizeof *list);
	size_t used = 0;

	for (size_t i = 0; i < session->subject_count; i++) {
		size_t at = used;

		if (session->subjects[i].kind != kind)
			continue;
		for (; at && comes_before(&session->subjects[i],
				     &session->subjects[list[at - 1]]);
			at--)
			list[at] = list[at - 1];
		list[at] = (uint32_t)i;
		used++;
	}
	*count = used;
	return list;
}

void subject_title(const struct subject *subject, char *to, size_t size)
{
	bool label = *subject->label && strcmp(subject->label, subject->name);

	(void)text_format(to, size, "%s%s%s%s%s%s%s", subject->name, label ? "  " : "",
		label ? subject->label : "", *subject->detail ? "  (" : "",
		subject->detail, *subject->detail ? ")" : "",
		subject->flags & SUBJECT_STACKED ? "  stacked: not to be added" : "");
}

struct cell cell_ratio(double a, double b, const char *otherwise)
{
	char shown[CELL_SHOWN];

	if (!isfinite(a) || !isfinite(b))
		return cell_null(otherwise);
	unit_ratio(shown, sizeof shown, a, b);
	return cell_real(a > 0 ? b / a : (double)NAN, shown);
}

void count_text(char *to, size_t size, double count)
{
	if (count < 1e5)
		(void)text_format(to, size, "%.0f", count);
	else
		unit_number(to, size, count, 5);
}
