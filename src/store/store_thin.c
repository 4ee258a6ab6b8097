/* Old ticks go, minutes stay: a month of a busy host would not fit otherwise. Windows
 * keep theirs, unless they are so long that nobody looks at single ticks of them. */
#include "config.h"

#include "base/alloc.h"
#include "store/store_private.h"

#include <stdlib.h>

/* What stays: from where to where. */
struct keep {
	nsec from, to;
};

struct keeps {
	struct keep *list;
	size_t count, room;
	nsec last; /* of the session: where open windows end */
};

static void keep_window(void *context, sqlite3_stmt *row)
{
	struct keeps *keeps = context;
	bool open = sqlite3_column_type(row, 4) == SQLITE_NULL;
	struct keep keep = {
		store_take_time(row, 3), open ? keeps->last : store_take_time(row, 4)};
	size_t at = keeps->count;

	if (keep.to < keep.from || keep.to - keep.from > STORE_KEPT)
		return;
	xgrow(&keeps->list, &keeps->room, ++keeps->count, sizeof *keeps->list);
	for (; at && keeps->list[at - 1].from > keep.from; at--)
		keeps->list[at] = keeps->list[at - 1];
	keeps->list[at] = keep;
}

/* Takes ticks away in [FROM, TO), at most *LEFT. */
static bool thin_range(
	struct store *store, nsec from, nsec to, unsigned *left, struct fault *fault)
{
	sqlite3_stmt *thin;

	if (from >= to || !*left)
		return true;
	thin = store_statement(store, SQL_THIN, fault);
	if (!thin)
		return false;
	store_bind_number(thin, 1, from);
	store_bind_number(thin, 2, to);
	store_bind_number(thin, 3, *left);
	if (!store_step(store, thin, fault))
		return false;
	*left -= (unsigned)sqlite3_changes(store->db);
	return true;
}

/* A window needs its ticks from the last full one at or before its begin. */
static bool thin_around(struct store *store, const struct keeps *keeps, nsec bound,
	unsigned most, struct fault *fault)
{
	nsec from = INT64_MIN;
	bool good = true;

	for (size_t i = 0; good && i < keeps->count && most; i++) {
		nsec begin = keeps->list[i].from;

		(void)store_number(store, SQL_LAST_FULL, begin, &begin); /* or BEGIN */
		good = thin_range(
			store, from, begin < bound ? begin : bound, &most, fault);
		if (keeps->list[i].to >= from)
			from = keeps->list[i].to + 1;
	}
	return good && thin_range(store, from, bound, &most, fault);
}

bool store_thin(struct store *store, unsigned most, struct fault *fault)
{
	struct keeps keeps = {.count = 0};
	nsec bound, followed;
	bool good;

	if (!store_number(store, SQL_FOLLOWED, 0, &followed) ||
		!store_number(store, SQL_LAST, 0, &keeps.last))
		return true;
	bound = keeps.last - STORE_FULL;
	bound = bound < followed ? bound : followed;
	if (!store_number(store, SQL_LAST_FULL, bound, &bound))
		return true;
	good = store_rows(store, SQL_WINDOWS, keep_window, &keeps, fault) &&
	       thin_around(store, &keeps, bound, most, fault);
	free(keeps.list);
	return good;
}
