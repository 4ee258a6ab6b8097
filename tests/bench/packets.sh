#!/bin/sh
# What `weir read` costs, as ratios of CPU time within one run: against a bare libpcap
# loop with weir's own checksum, tcptrace and tshark; and whether its memory stays flat.
#   packets.sh [BUILD]      prints one line per comparison; tools that lack are left out
set -eu
build=${1:-${WEIR_BUILD:-.}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -C "$build" -s tests/bench/packets_make tests/bench/packets_bare

# seconds of CPU (user and system), the best of some runs
runs=3
cpu()
{
	for _ in $(seq "$runs"); do
		/usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' - "$@" 2>&1 |
			awk '{ print $1 + $2 }'
	done | sort -n | head -1
}

ratio()
{
	awk -v a="$1" -v b="$2" -v text="$3" 'BEGIN { printf "  %-34s %8.2f s %8.2f s %8.2f times\n", text, a, b, b / a }'
}

for connections in 2 200 20000; do
	"$build/tests/bench/packets_make" 500000 "$connections" >"$work/capture"
	weir=$(cpu "$build/weir" read "$work/capture")
	bare=$(cpu "$build/tests/bench/packets_bare" "$work/capture")
	printf '500000 packets in %s connections (other, weir, other / weir):\n' "$connections"
	awk -v a="$bare" -v b="$weir" 'BEGIN { printf "  %-34s %8.2f s %8.2f s   weir takes %.2f times the bare loop (goal: at most 1.5)\n", "bare loop with checksums", a, b, b / a }'
	if command -v tcptrace >/dev/null; then
		ratio "$weir" "$(cpu tcptrace -n "$work/capture")" 'tcptrace -n (goal: above 1)'
	fi
	if [ "$connections" = 200 ] && command -v tshark >/dev/null; then
		runs=1
		ratio "$weir" "$(cpu tshark -n -q -z expert -r "$work/capture")" 'tshark -q -z expert (goal: 20)'
		runs=3
	fi
done

peak()
{
	"$build/tests/bench/packets_make" "$1" 200 |
		/usr/bin/time -f %M "$build/weir" read - 2>&1 >/dev/null | tail -1
}
if [ -x /usr/bin/time ]; then
	printf 'peak memory: %s KiB for 10000 packets, %s KiB for 5000000\n' \
		"$(peak 10000)" "$(peak 5000000)"
fi
