#!/bin/bash
# Queue depth against the truth: null block devices of a known delay, kept at a known
# depth by fio; weir beside iostat. As root on a machine or a virtual one where nobody
# else uses null_blk; skips elsewhere. The table goes to standard output.
# Usage: queue.sh WEIR
set -u
weir=${1:?usage: queue.sh WEIR}
seconds=12
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip 'needs root'
for tool in fio iostat modprobe; do
	command -v $tool >/dev/null || skip "needs $tool"
done
[ ! -e /sys/module/null_blk ] || skip 'null_blk is in use'
modprobe -n null_blk 2>/dev/null || skip 'this kernel has no null_blk'
work=$(mktemp -d)
export XDG_STATE_HOME=$work XDG_RUNTIME_DIR=$work
load=
finish()
{
	[ -z "$load" ] || { kill "$load"; wait "$load"; } 2>/dev/null
	load=
	modprobe -r null_blk 2>/dev/null
}
trap 'finish; rm -rf "$work"' EXIT
failed=0

# What weir said in each tick, the first left out: "64 >=16 ?".
figures()
{
	"$weir" export "$1" --format csv | awk -F, -v id="$2" '
		$2 == "disk" && $4 == id && n++ {printf " %s", $5 == "" ? $6 : $5}'
}

# What fio saw itself, by Little's law: completions per second times their mean time.
truth() { awk -F';' '{printf "%.4g", $8 * $16 / 1e6}' "$work/fio"; }

# NAME DELAY_NS TAGS DEPTH SCHEDULER PERCENT: the mean within PERCENT of what fio saw. Where a
# request takes longer than a tick each figure counts, against DEPTH, but the first: the
# sampler may not have answered yet.
try()
{
	local name=$1 delay=$2 tags=$3 depth=$4 scheduler=$5 percent=$6 line wanted each=0
	modprobe null_blk nr_devices=1 queue_mode=2 irqmode=2 completion_nsec="$delay" gb=1 \
		hw_queue_depth="$tags" submit_queues=1 || { failed=1; return; }
	echo "$scheduler" >/sys/block/nullb0/queue/scheduler
	[ "$scheduler" = none ] || echo 256 >/sys/block/nullb0/queue/nr_requests
	fio --name=load --filename=/dev/nullb0 --direct=1 --ioengine=libaio --iodepth="$depth" \
		--rw=randread --bs=4k --runtime=600 --time_based --eta=never --minimal \
		--output="$work/fio" &
	load=$!
	sleep 8
	S_COLORS=never iostat -dxy nullb0 1 $seconds >"$work/iostat" &
	"$weir" record -s "$name" -D '^nullb0$' --no-capture --for ${seconds}s >/dev/null 2>"$work/err" ||
		{ cat "$work/err"; failed=1; }
	wait $!
	finish
	wanted=$(truth)
	[ "$delay" -lt 1000000000 ] || { each=1 wanted=$depth; }
	line=$(figures "$name" disk.queue)
	echo "== $name: delay $delay ns, $tags tags, depth $depth, $scheduler; true: $wanted"
	echo "weir:    $line"
	echo "weighted:$(figures "$name" disk.queue.weighted)"
	echo "pending: $(figures "$name" disk.pending)"
	echo "at dev:  $(figures "$name" disk.inflight.mean)"
	echo "iostat:  $(awk '$1 == "nullb0" {printf " %s", $(NF - 1)}' "$work/iostat")"
	"$weir" report -s "$name" | grep FACT
	if echo "$line" | awk -v wanted="$wanted" -v percent="$percent" -v each=$each '
	function off(value) {return (value - wanted) / wanted * 100}
	function far(value) {return off(value) > percent || off(value) < -percent}
	{
		for (i = 2; i <= NF; i++) {
			if ($i + 0 > 0) {n++; sum += $i; bad += each && far($i)}
			else if ($i != "no-completion") bad++
		}
		if (n)
			printf "mean %.4g, off by %.1f %%\n", sum / n, off(sum / n)
		exit !n || bad || far(sum / n)
	}'; then
		echo ok
	else
		echo "FAILED: not within $percent %"
		failed=1
	fi
}

echo "kernel $(uname -r)"
try slow 3000000000 128 64 none 2
try full 100000000 16 200 mq-deadline 5
try quick 1000000 128 4 none 5
try middle 50000000 128 32 none 5
exit $failed
