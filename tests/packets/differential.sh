#!/bin/sh
# Compares `weir read --rules wireshark --per-packet` with tshark, packet by packet, over
# captures that are made here: conversations at random, and every header and option at
# every length. Prints a line per column, and every difference on request.
#   differential.sh WEIR GENERATE [SEEDS [DIFFERENCES]]     seeds: 1 to SEEDS, at first 5
#   differential.sh WEIR GENERATE CAPTURE... -- [DIFFERENCES]    captures at hand
# Ends with 77 without tshark, with 1 where something differs that is not in
# tests/packets/differential_known, or where nothing could be compared.
set -eu
weir=$1
generate=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v tshark >/dev/null || {
	echo 'tshark is missing: apt-get install tshark'
	exit 77
}
shift 2

# NAME CAPTURE: lines of which the first word says who alone has it, or that both do
compare()
{
	"$here/reference.sh" "$2" >"$work/reference"
	{ "$weir" read --rules wireshark --per-packet "$2" 2>/dev/null || true; } |
		awk -F'\t' '{ n = split($2, c, ","); for (i = 1; i <= n; i++) print $1 "\t" c[i] }' |
		grep -v '_digest_bad$' | LC_ALL=C sort >"$work/ours" || true
	{
		LC_ALL=C comm -23 "$work/reference" "$work/ours" | sed "s|^|missed\t$1\t|"
		LC_ALL=C comm -13 "$work/reference" "$work/ours" | sed "s|^|extra\t$1\t|"
		LC_ALL=C comm -12 "$work/reference" "$work/ours" | sed "s|^|both\t$1\t|"
	} >>"$work/all"
}

made() # NAME, words on standard input
{
	xargs -s 1900000 "$generate" >"$work/$1"
	compare "$1" "$work/$1"
	rm -f "$work/$1"
}

: >"$work/all"
if [ $# -gt 0 ] && [ -e "$1" ]; then
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		compare "$1" "$1"
		shift
	done
	[ $# -eq 0 ] || shift
	differences=${1:-/dev/null}
else
	seeds=${1:-5}
	differences=${2:-/dev/null}
	for seed in $(seq "$seeds"); do
		awk -v seed="$seed" -v frames=3000 -f "$here/random.awk" | made "seed-$seed"
	done
	for part in cut4 cut6 alone tcp tcpsyn mptcp ip4 route hop routing icmp icmp6; do
		awk -v part=$part -f "$here/systematic.awk" | made $part
	done
fi
grep -v '^both' "$work/all" >"$differences" || true
awk -F'\t' -v known="$here/differential_known" '
BEGIN {
	while ((getline line < known) > 0)
		if (line !~ /^#/) { split(line, k, "\t"); most[k[1], k[2]] = k[3] }
}
{ count[$4, $1]++; seen[$4] = 1; compared += $1 == "both" }
$1 != "both" { differ[$2, $4]++ }
END {
	printf "%-26s %8s %7s %7s\n", "column", "both", "missed", "extra"
	for (name in seen)
		printf "%-26s %8d %7d %7d\n", name, count[name, "both"], count[name, "missed"], count[name, "extra"] | "sort"
	close("sort")
	for (key in differ) {
		if (differ[key] <= most[key]) { expected += differ[key]; continue }
		split(key, k, SUBSEP)
		printf "%s: %d differences in %s, known are %d\n", k[1], differ[key], k[2], most[key]
		strange += differ[key] - most[key]
	}
	printf "findings of both %d; differences that are known %d, others %d\n", compared, expected, strange
	exit strange > 0 || !compared
}' "$work/all"
