#!/bin/sh
# Every case of tests/packets/list: makes its capture, reads it, compares the classes.
# And every class must have a case that counts it, but those that are named here.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# No capture file holds the first (libpcap mends it), a cut file the second: they are in
# tests/unit/engine_test.c and tests/packets/read.sh. ICMP has no pseudo header whose sum
# could be left in the field.
elsewhere='rec.caplen_gt_len rec.file_cut icmp.cksum.offloaded'

grep -v '^#' "$WEIR_SRC/tests/packets/list" >"$work/list"
while IFS='|' read -r name words _; do
	# shellcheck disable=SC2086 # words
	"$WEIR_BUILD/tests/packets/generate" $words >"$work/${name% }" || failed=1
	printf '%s\n' "${name% }"
done <"$work/list" >"$work/names"

# NAME|CLASS=COUNT CLASS=COUNT in the order of the table, for every case
cd "$work" || exit 1
xargs "$WEIR_BUILD/weir" read --format json <names >"$work/json" || failed=1
awk '{
	match($0, /"file":"[^"]*"/); name = substr($0, RSTART + 8, RLENGTH - 9)
	match($0, /"classes":{[^}]*}/); n = split(substr($0, RSTART + 11, RLENGTH - 12), pair, ",")
	line = name "|"
	for (i = 1; i <= n; i++) {
		gsub(/"/, "", pair[i]); split(pair[i], part, ":")
		if (NR == 1) print part[1] >"'"$work"'/classes"
		if (part[2] > 0 && part[1] !~ /cksum\.good$/) line = line " " part[1] "=" part[2]
	}
	print line
}' "$work/json" >"$work/counted"

awk -F'|' -v failed="$work/failed" '
function sorted(text,   n, i, j, t, w) {
	n = split(text, w, " ")
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && w[j - 1] > w[j]; j--) { t = w[j]; w[j] = w[j - 1]; w[j - 1] = t }
	t = ""
	for (i = 1; i <= n; i++) t = t " " w[i]
	return t
}
NR == FNR { counted[$1] = sorted($2); next }
{
	sub(/ $/, "", $1); expected = sorted($3)
	if (counted[$1] != expected) {
		printf "%s: expected%s, counted%s\n", $1, expected, counted[$1]
		print >failed
	}
}' "$work/counted" "$work/list"

while read -r class; do
	case " $elsewhere " in *" $class "*) continue ;; esac
	case $class in *.cksum.good) continue ;; esac
	grep -q " $class=" "$work/counted" || {
		printf 'no case counts %s\n' "$class"
		failed=1
	}
done <"$work/classes"
[ ! -e "$work/failed" ] || failed=1
printf '%s cases\n' "$(wc -l <"$work/names")"
exit $failed
