/* What stands behind the number of peaks; the wording is that of report and screen. */
#include "config.h"

#include "base/text.h"
#include "core/headline.h"
#include "core/unit.h"

bool headline_is_peaks(const struct headline_row *row)
{
	return row->subject != UINT32_MAX;
}

/* " in 12 > 85 stretches, the longest 1s > 9s" */
void headline_stretches(
	const struct headline_row *row, nsec interval, char *to, size_t size)
{
	char longest[2][32] = {"none", "none"};

	if (!row->has_stretches) {
		(void)text_format(to, size, "%s",
			headline_is_peaks(row)
				? " (how long each lasted is not known where "
				  "windows are made of minutes)"
				: "");
		return;
	}
	for (int s = 0; s < 2; s++)
		if (row->stretches[s])
			unit_duration(longest[s], sizeof longest[s],
				(nsec)row->longest[s] * interval);
	(void)text_format(to, size, " in %u > %u stretches, the longest %s > %s",
		row->stretches[0], row->stretches[1], longest[0], longest[1]);
}
