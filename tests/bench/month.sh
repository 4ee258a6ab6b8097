#!/bin/sh
# A month of ten disks and four cards with thirty classes of bad packets at 1 s: `weir report`
# on two windows of two weeks, against a bare SQLite loop that reads the same minutes. Limits:
# 1.5 times its time, 64 MiB of memory, 500 MB of file, and 60 MB for a day. The recording is made first; that takes a minute or two.
set -u
days=${1:-28}
command -v /usr/bin/time >/dev/null || {
	echo 'SKIP: GNU time is missing: apt-get install time'
	exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/weir-month.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
file=$work/month.weir
"$WEIR_BUILD/tests/bench/month_make" "$work/day.weir" 1 || exit 1
"$WEIR_BUILD/tests/bench/month_make" "$file" "$days" || exit 1
status=0

# best NAME COMMAND...: user and system seconds of the best of five, peak KiB.
best()
{
	name=$1
	shift
	for _ in 1 2 3 4 5; do
		/usr/bin/time -f '%U %S %M' -o "$work/one" "$@" >"$work/$name.out" || exit 1
		cat "$work/one"
	done | awk '{ t = $1 + $2; if (!best || t < best) best = t; if ($3 > most) most = $3 }
		END { printf "%.3f %d\n", best, most }' >"$work/$name"
	echo "$name: $(cut -d' ' -f1 "$work/$name") s of CPU, $(cut -d' ' -f2 "$work/$name") KiB"
}
best rows "$WEIR_BUILD/tests/bench/month_bare" "$file" --rows
best bare "$WEIR_BUILD/tests/bench/month_bare" "$file"
best report "$WEIR_BUILD/weir" report -s "$file" BEFORE AFTER
limit()
{
	echo "$1: $2 (limit $3)"
	awk "BEGIN { exit !($2 <= $3) }" || status=1
}
limit 'report / bare loop' \
	"$(cat "$work/report" "$work/bare" | awk 'NR == 1 { r = $1 } NR == 2 { printf "%.2f", r / $1 }')" 1.5
limit 'memory, MiB' "$(awk '{ printf "%.1f", $2 / 1024 }' "$work/report")" 64
limit 'file, MB' "$(stat -c %s "$file" | awk '{ printf "%.0f", $1 / 1e6 }')" 500
limit 'file of a day, MB' "$(stat -c %s "$work/day.weir" | awk '{ printf "%.0f", $1 / 1e6 }')" 60
cat "$work/bare.out"
exit "$status"
