#!/bin/sh
# How far `weir read --rules wireshark` agrees with the reference counts of a folder of
# captures (expected.tsv, expected_packets.tsv.gz, files/): one line per column, per file
# and per packet. Files in tests/packets/out_of_scope are counted apart.
# Those in tests/packets/differences are known, and told; any other makes it fail.
#   agreement.sh CORPUS WEIR [differences]     the third: a file for every difference
set -eu
corpus=$1
weir=$(realpath "$2")
differences=${3:-/dev/null}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

cd "$corpus/files"
tail -n +2 ../expected.tsv | cut -f1 >"$work/all"
cut -f1 "$here/out_of_scope" | grep -v '^#' >"$work/out" || true
grep -vxFf "$work/out" "$work/all" >"$work/in" || cp "$work/all" "$work/in"
tr '\n' '\0' <"$work/in" |
	xargs -0 -n 100 "$weir" read --rules wireshark --format tsv 2>"$work/errors" |
	awk 'NR == 1 || !/^file\t/' >"$work/ours" || true
while read -r file; do
	"$weir" read --rules wireshark --per-packet "$file" 2>/dev/null |
		awk -v file="$file" '{ print file "\t" $0 }' || true
done <"$work/in" >"$work/packets"
gunzip -c ../expected_packets.tsv.gz | awk -F'\t' -v list="$work/in" '
	BEGIN { while ((getline line < list) > 0) wanted[line] = 1 }
	$1 in wanted' >"$work/reference"

awk -F'\t' -v OFS='\t' -v differences="$differences" -v known="$here/differences" '
BEGIN { while ((getline line < known) > 0) { split(line, k, "\t"); is_known[k[1], k[2]] = 1 } }
function differs(file, name) {
	if ((file, name) in is_known) { return }
	strange++
}
function column_names(   i) {
	for (i = 2; i <= NF; i++) { name[i] = $i; column[$i] = i }
	columns = NF
}
part == 1 && FNR == 1 { column_names(); next }
part == 1 { for (i = 2; i <= NF; i++) ours[$1, name[i]] = $i; seen[$1] = 1; next }
part == 2 && FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
part == 2 && $1 in seen {
	for (i = 2; i <= columns; i++) {
		n = name[i]; e = $(at[n]); o = ours[$1, n]
		sum_ours[n] += o; sum_expected[n] += e
		if (o || e) files[n]++
		if ((o || e) && o == e) exact[n]++
		if (o != e) { off[n] += o > e ? o - e : e - o; differs($1, n)
			print $1, n, "ours", o, "expected", e > differences }
	}
	next
}
part == 3 { n = split($3, c, ","); for (i = 1; i <= n; i++) mine[$1 "\t" $2 "\t" c[i]] = 1; next }
part == 4 {
	n = split($3, c, ",")
	for (i = 1; i <= n; i++) {
		if (!(c[i] in column)) continue
		key = $1 "\t" $2 "\t" c[i]
		if (key in mine) { both[c[i]]++; delete mine[key] }
		else { missed[c[i]]++; differs($1, c[i]); print $1, c[i], "missed", $2 > differences }
	}
}
END {
	for (key in mine) { split(key, k, "\t"); extra[k[3]]++; differs(k[1], k[3])
		print k[1], k[3], "extra", k[2] > differences }
	printf "%-26s %6s %6s %9s %9s %7s %8s %7s %7s\n", "column", "files", "exact",
		"ours", "expected", "off", "both", "missed", "extra"
	for (i = 2; i <= columns; i++) {
		n = name[i]
		printf "%-26s %6d %6d %9d %9d %7d %8d %7d %7d\n", n, files[n], exact[n],
			sum_ours[n], sum_expected[n], off[n], both[n], missed[n], extra[n]
	}
	printf "differences that tests/packets/differences does not explain: %d\n", strange
	for (file in seen) read_files++
	if (read_files < 1) { print "no file was read"; strange++ }
	exit strange > 0
}' part=1 "$work/ours" part=2 ../expected.tsv part=3 "$work/packets" part=4 "$work/reference" || status=1
printf 'in scope %d files, out of scope %d, not read to their end %d\n' \
	"$(wc -l <"$work/in")" "$(wc -l <"$work/out")" "$(grep -c '^weir:' "$work/errors" || true)"
exit $status
