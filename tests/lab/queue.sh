#!/bin/bash
# Queue depth against the truth: null block devices of a known delay, kept at a known
# depth by fio; weir beside iostat.
# Usage: queue.sh WEIR [CASE]
# shellcheck disable=SC1091,SC2154 # lib.sh
. "$(dirname "$0")/lib.sh"
needs fio iostat modprobe
[ ! -e /sys/module/null_blk ] || skip 'null_blk is in use'
modules null_blk
only=${2:-}
# shellcheck disable=SC2317 # called by the trap
take_down() { modprobe -r null_blk 2>/dev/null; }

# NAME DELAY_NS TAGS DEPTH SCHEDULER PERCENT. Where a request takes longer than a tick each
# figure counts, against DEPTH, but the first: the sampler may not have answered yet. Where
# it takes a millisecond, the way from the device to fio is not small beside it: the truth
# lies between what the device holds and what fio sees.
try()
{
	local name=$1 delay=$2 tags=$3 depth=$4 scheduler=$5 percent=$6 low high each=0 mean
	[ -z "$only" ] || [ "$only" = "$name" ] || return
	modprobe null_blk nr_devices=1 queue_mode=2 irqmode=2 completion_nsec="$delay" gb=1 \
		hw_queue_depth="$tags" submit_queues=1 || { failed=1; return; }
	echo "$scheduler" >/sys/block/nullb0/queue/scheduler
	[ "$scheduler" = none ] || echo 256 >/sys/block/nullb0/queue/nr_requests
	begin_load /dev/nullb0 "$depth"
	sleep 4 # the slowest case has its second round
	beside nullb0 "$name"
	end_load
	high=$(by_fio)
	low=$high
	[ "$delay" -gt 1000000 ] || low=$(by_device 1)
	[ "$delay" -lt 1000000000 ] || { each=1 low=$depth high=$depth; }
	mean=$(judge "$name" "$percent" $each "$low" "$high") || fail "$name: not within $percent %"
	[ "$low" = "$high" ] || low="$low at the device, $high for fio"
	row "$name: $((delay / 1000000)) ms, $tags tags, $scheduler, depth $depth" "$low" \
		"$name" nullb0 "$mean"
	"$weir" report -s "$name" >"$work/report"
	[ "$delay" -lt 2000000000 ] || grep -q 'FACT.*nullb0.*STALL' "$work/report" ||
		fail "$name: no STALL in the report"
	modprobe -r null_blk
}

head_row
try stall 3000000000 128 64 none 2
for depth in 1 4 32; do
	try quick$depth 1000000 128 $depth none 5
	try middle$depth 50000000 128 $depth none 5
done
try full 100000000 16 200 mq-deadline 5
exit "$failed"
