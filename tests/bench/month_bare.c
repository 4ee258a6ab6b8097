/*
 * month_bare FILE.weir: a bare SQLite loop over the minutes of a session that reads
 * each of them and adds up numerators and denominators by track, and nothing else; with
 * --rows it does not even look into the bytes. What `weir report` is held against.
 */
#include "config.h"

#include "core/minute.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum {
	TRACKS = 100000
};

static double num[TRACKS], den[TRACKS];

static void add(const uint8_t *data, size_t size)
{
	static struct minute_reader reader;

	minute_reader_begin(&reader, data, size);
	while (minute_next(&reader) && reader.number < TRACKS) {
		num[reader.number] += reader.cell.num;
		den[reader.number] += reader.cell.den;
	}
}

int main(int argc, char **argv)
{
	bool rows = argc > 2 && !strcmp(argv[2], "--rows");
	sqlite3 *db = NULL;
	sqlite3_stmt *row = NULL;
	double sum = 0;
	size_t count = 0, bytes = 0;

	if (argc < 2 || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) ||
		sqlite3_prepare_v2(db,
			"SELECT number,began,ended,interval,seen,swallowed,data"
			" FROM minutes ORDER BY number",
			-1, &row, NULL))
		return 1;
	while (sqlite3_step(row) == SQLITE_ROW) {
		const uint8_t *data = sqlite3_column_blob(row, 6);
		size_t size = (size_t)sqlite3_column_bytes(row, 6);

		count++;
		bytes += size;
		if (!rows)
			add(data, size);
	}
	for (size_t i = 0; i < TRACKS; i++)
		sum += den[i] > 0 ? num[i] / den[i] : 0;
	printf("%zu minutes, %zu bytes, sum of means %.6g\n", count, bytes, sum);
	(void)sqlite3_finalize(row); /* it was only read */
	(void)sqlite3_close(db);
	return 0;
}
