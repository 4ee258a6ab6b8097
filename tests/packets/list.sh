#!/bin/sh
# Every case of tests/packets/list: makes its capture, reads it, compares the classes.
# And every class must have one that is, one that nearly is, and one that cannot be judged.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

grep -v '^#' "$WEIR_SRC/tests/packets/list" >"$work/list"
while IFS='|' read -r name words _; do
	host=
	case $words in
	" host="*)
		words=${words# host=} host=${words%% *} words=${words#* }
		printf '%s %s\n' "$host" "${name% }" >>"$work/hosts"
		;;
	esac
	# shellcheck disable=SC2086 # words
	"$WEIR_BUILD/tests/packets/generate" $words >"$work/${name% }" || failed=1
	[ "$host" ] || printf '%s\n' "${name% }"
done <"$work/list" >"$work/names"

# No cut by the capture makes a finding, wherever it is.
(cd "$work" && xargs "$WEIR_BUILD/tests/packets/cuts" <"$work/names") >"$work/cuts" || {
	tail -n 30 "$work/cuts"
	failed=1
}
tail -n 1 "$work/cuts"

# NAME|CLASS=COUNT CLASS=COUNT in the order of the table, for every case
cd "$work" || exit 1
xargs "$WEIR_BUILD/weir" read --format json <names >"$work/json" || failed=1
while read -r host name; do
	"$WEIR_BUILD/weir" read --format json --host "$host" "$name" >>"$work/json" || failed=1
	printf '%s\n' "$name" >>"$work/names"
done <"$work/hosts"
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

# Every class of the table has its row in tests/packets/classes, and the cases that it names:
# the first counts the class, the others do not.
good_too()
{
	awk '{
		match($0, /"file":"[^"]*"/); name = substr($0, RSTART + 8, RLENGTH - 9)
		match($0, /"classes":{[^}]*}/); n = split(substr($0, RSTART + 11, RLENGTH - 12), pair, ",")
		for (i = 1; i <= n; i++) {
			gsub(/"/, "", pair[i]); split(pair[i], part, ":")
			if (part[2] > 0) print name "|" part[1]
		}
	}' "$1"
}
good_too json >counts
grep -v '^#' "$WEIR_SRC/tests/packets/classes" >rows
mkdir behind
awk -F' [|] ' '$4 == "cut" { print $1, $2 }' rows | while read -r class name; do
	words=$(awk -F' [|] ' -v name="$name" '$1 == name { print $2 }' list)
	cut=14
	case $words in link=sll\ *) cut=16 ;; link=sll2*) cut=20 ;; esac
	# shellcheck disable=SC2046 # words
	"$WEIR_BUILD/tests/packets/generate" $(printf '%s' "$words" | tr ' ' '\n' |
		sed "/^\$/d; s/,cut=[0-9]*//; /^link=/!s/\$/,cut=$cut/") >"behind/cut-$class"
	printf '%s\n' "cut-$class"
done >cut.names
(cd behind && xargs "$WEIR_BUILD/weir" read --format json) <cut.names >json.cut || failed=1
good_too json.cut >counts.cut
awk -F' [|] ' -v failed=failed '
FILENAME == "counts" || FILENAME == "counts.cut" { split($0, k, "|"); counts[k[1], k[2]] = 1; cases[k[1]] = 1; next }
FILENAME == "names" { cases[$1] = 1; next }
FILENAME == "classes" { all[$1] = 1; next }
function complain(text) { print $1 ": " text; print >failed }
{ row[$1] = 1 }
!($1 in all) { complain("there is no such class") }
$2 ~ /^-/ { next }
!(($2, $1) in counts) { complain($2 " does not count it") }
{
	for (i = 3; i <= 4; i++) {
		name = $i == "cut" ? "cut-" $1 : $i
		if (name ~ /^-/) continue
		if (!(name in cases)) complain((i == 3 ? "nearly" : "not to be judged") ": no case " name)
		if ((name, $1) in counts) complain(name " counts it")
	}
}
END {
	for (class in all) if (!(class in row)) { print class ": has no row in tests/packets/classes"; print >failed }
}' counts counts.cut names classes rows
# What is cut behind the link header counts as that, and as nothing else.
awk -F'|' '$2 != "rec.snapped" { print; bad = 1 } END { exit bad }' counts.cut || failed=1
[ ! -e "$work/failed" ] || failed=1
printf '%s cases\n' "$(wc -l <"$work/names")"
exit $failed
