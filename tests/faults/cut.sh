#!/bin/sh
# shellcheck disable=SC1091,SC2154 # lib.sh
# Power cuts: the file and its log are copied as they are at random moments, and the log
# of every second copy loses its tail, as if that had not reached the disk. Each copy
# opens and is sound; without a lost tail it has every mark that was confirmed by then.
# WEIR_ROUNDS: how many (10).
. "$WEIR_SRC/tests/faults/lib.sh"
rounds=${WEIR_ROUNDS:-10}
: >"$work/confirmed"
record day -t 0.1
keep_marking day m &
marker=$!
mkdir "$work/copy"

# Nothing runs while it is copied, so that it is the state of one moment.
copy()
{
	rm -f "$work"/copy/*
	kill -STOP "$recorder"
	cp "$work/confirmed" "$work/by_then"
	cp "$folder/day.weir" "$work/copy/day.weir"
	cp "$folder/day.weir-wal" "$work/copy/day.weir-wal"
	kill -CONT "$recorder"
}

# The log ends somewhere in its last part, in the middle of what ever was there.
lose_tail()
{
	size=$(stat -c %s "$work/copy/day.weir-wal")
	[ "$size" -eq 0 ] ||
		truncate -s $((size - 1 - $(chance "$size"))) "$work/copy/day.weir-wal"
}

marks_then()
{
	sqlite3 "$work/copy/day.weir" 'SELECT name FROM windows UNION SELECT text FROM notes' |
		sort
}

for round in $(seq "$rounds"); do
	pause_by_chance 700
	copy
	[ $((round % 2)) -eq 0 ] || lose_tail
	"$weir" export "$work/copy/day.weir" --format csv >"$work/copy.csv" 2>"$work/copy.err" ||
		check "copy $round can be read" "$(cat "$work/copy.err")" ''
	sound=$(sqlite3 "$work/copy/day.weir" 'PRAGMA integrity_check')
	[ "$sound" = ok ] || check "copy $round is sound" "$sound" ok
	[ $((round % 2)) -eq 1 ] && continue
	marks_then >"$work/kept"
	sort -u "$work/by_then" | comm -23 - "$work/kept" >"$work/missing"
	[ ! -s "$work/missing" ] || check "copy $round has all marks" "$(cat "$work/missing")" ''
done
"$weir" stop day >/dev/null
check 'the recording ends well' $? 0
wait "$marker"
echo "$rounds copies, $(wc -l <"$work/confirmed") confirmed marks and notes"
all_kept day
check 'no confirmed mark is lost' "$(cat "$work/missing")" ''
exit "$bad"
