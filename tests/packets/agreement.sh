#!/bin/sh
# How far `weir read --rules wireshark` agrees with the reference counts of a folder of
# captures (expected.tsv, expected_packets.tsv.gz, files/): one line per column, per file
# and per packet. Files in tests/packets/out_of_scope are counted apart.
# Those in tests/packets/differences are known, and told; any other makes it fail.
# Then what the default rules leave out of the bad checksums: no sum that was left to the
# card is counted, and nothing else is missing but what doc/packets.md names.
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

# FILE<TAB>COLUMN<TAB>FRAME for every bad checksum, of both rule sets
bad_sums()
{
	awk -F'\t' -v OFS='\t' '{ n = split($3, c, ","); quoted = $3 ~ /icmp_error_any/
		for (i = 1; i <= n; i++)
			if (c[i] ~ /_ck_bad$|^tcp_hdr_bad$/) print $1, c[i], $2, quoted ? "quoted" : "plain" }'
}
while read -r file; do
	"$weir" read --per-packet "$file" 2>/dev/null |
		awk -v file="$file" '{ print file "\t" $0 }' || true
done <"$work/in" >"$work/packets.weir"
bad_sums <"$work/packets" >"$work/bad.plain"
bad_sums <"$work/packets.weir" >"$work/bad.weir"
tr '\n' '\0' <"$work/in" | xargs -0 -n 100 "$weir" read --format json 2>/dev/null >"$work/json" || true
awk -F'\t' -v names="$here/left_out" '
function count(line, id,   text) {
	if (!match(line, "\"" id "\":[0-9]+")) return 0
	text = substr(line, RSTART, RLENGTH); sub(/.*:/, "", text)
	return text + 0
}
BEGIN {
	while ((getline line < names) > 0) { split(line, k, "\t"); known[k[1], k[2]] = k[3] }
	n = split("tcp_ck_bad=tcp udp_ck_bad=udp ip_ck_bad=ip4 icmp_ck_bad=icmp icmpv6_ck_bad=icmp6", pair, " ")
	for (i = 1; i <= n; i++) { split(pair[i], k, "="); protocol[k[1]] = k[2] }
}
FILENAME ~ /expected/ && FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
FILENAME ~ /expected/ { partial[$1, "tcp_ck_bad"] = $(at["tcp_ck_partial"]); partial[$1, "udp_ck_bad"] = $(at["udp_ck_partial"]); next }
FILENAME ~ /json$/ {
	match($0, /"file":"[^"]*"/); file = substr($0, RSTART + 8, RLENGTH - 9)
	for (name in protocol) offloaded[file, name] = count($0, protocol[name] ".cksum.offloaded")
	next
}
$2 == "tcp_hdr_bad" { header[$1, $3] = 1; next } # the plain rules do not look at its sum
FILENAME ~ /plain$/ { plain[$1, $2]++; was[$1, $2, $3] = $4; next }
!(($1, $2, $3) in was) {
	if (!(($1, $3) in header)) { print $1 ": " $2 " in packet " $3 " is bad by the default rules alone"; fresh++ }
	next
}
{ ours[$1, $2]++; delete was[$1, $2, $3] }
END {
	for (key in was) { # bad by the plain rules alone
		split(key, k, SUBSEP)
		if (was[key] == "quoted") quotes++
		else left[k[1], k[2]]++
	}
	for (key in left) {
		split(key, k, SUBSEP)
		of_card = left[key] < offloaded[key] ? left[key] : offloaded[key]
		cards += of_card
		if (left[key] > of_card + known[key]) {
			print k[1] ": " left[key] - of_card " of " k[2] " vanished for no reason that is known"
			strange++
		} else others += left[key] - of_card
	}
	for (key in plain) {
		most = plain[key] - partial[key]
		if (ours[key] > most + known[key]) {
			split(key, k, SUBSEP)
			print k[1] ": " k[2] ": " ours[key] " counted bad, at most " most " are not left to the card"
			strange++
		}
		total += plain[key]; counted += ours[key]
	}
	printf "bad checksums by the plain rules %d, by the default rules %d; left to the card %d, quoted by ICMP %d, named in tests/packets/left_out %d\n",
		total, counted, cards, quotes, others
	printf "bad checksums that the default rules add or leave out without a reason: %d\n", strange + fresh
	exit strange + fresh > 0
}' ../expected.tsv "$work/json" "$work/bad.plain" "$work/bad.weir" || status=1
printf 'in scope %d files, out of scope %d, not read to their end %d\n' \
	"$(wc -l <"$work/in")" "$(wc -l <"$work/out")" "$(grep -c '^weir:' "$work/errors" || true)"
exit $status
