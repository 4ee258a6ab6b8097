#!/bin/sh
# shellcheck disable=SC1091,SC2154 # common.sh
# A recorded window against the kernel's own counters: a loop device gets a load, and
# what weir run and the export say is compared with /proc/diskstats read by this script.
. "$WEIR_SRC/tests/app/common.sh"

[ "$(id -u)" -eq 0 ] || skip 'only root can set up loop devices'
command -v fio >/dev/null || skip 'fio is missing: apt-get install fio'
truncate -s 64M "$work/image"
loop=$(losetup --show -f "$work/image" 2>/dev/null) || skip 'loop devices are not allowed here'
disk=${loop#/dev/}
# shellcheck disable=SC2317 # called by the trap
detach()
{
	losetup -d "$loop"
	clean_up
}
trap detach EXIT

# counters: sectors read, sectors written, weighted milliseconds
counters()
{
	awk -v disk="$disk" '$3 == disk { print $6, $10, $14 }' /proc/diskstats
}

record day -t 0.5 -D "^$disk\$"
# the load: 32 requests at once, held back so that each takes some milliseconds
counters >"$work/before"
"$weir" run load -- fio --name=load --filename="$loop" --direct=1 --ioengine=libaio \
	--iodepth=32 --rw=randrw --bs=16k --rate_iops=1500 --time_based --runtime=4 \
	--output="$work/fio" >"$work/out" 2>"$work/err"
check 'the load ran' $? 0
counters >"$work/after"
"$weir" stop day >/dev/null
cat "$work/err"

paste -d ' ' "$work/before" "$work/after" |
	awk '{ print ($4 - $1) * 512, ($5 - $2) * 512, ($6 - $3) / 1000 }' >"$work/kernel"
"$weir" export day --format csv >"$work/day.csv"
# each figure is a mean over its tick: times the length of the tick it is the amount
awk -F, -v disk="$disk" '
	NR > 1 && !($1 in seen) { seen[$1] = last; last = $1 }
	$3 == disk && $5 != "" {
		sum[$4] += $5 * ($1 - seen[$1])
	}
	END { printf "%.0f %.0f %.3f\n", sum["disk.read.bytes"],
		sum["disk.write.bytes"], sum["disk.queue"] }' "$work/day.csv" >"$work/weir"
echo "kernel: $(cat "$work/kernel")"
echo "weir:   $(cat "$work/weir")"

# near WHAT COLUMN PERCENT
near()
{
	paste -d ' ' "$work/kernel" "$work/weir" | awk -v at="$2" -v most="$3" '{
		want = $at; got = $(at + 3); off = got > want ? got - want : want - got
		exit !(want > 0 && off * 100 <= want * most) }'
	check "$1 agrees with the kernel within $3 %" $? 0
}
near 'what was read' 1 1
near 'what was written' 2 1
near 'the queue over time' 3 5
exit "$bad"
