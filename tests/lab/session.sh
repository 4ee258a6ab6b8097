#!/bin/bash
# One load, counted three times on its way to an iSCSI target: by the disk, by its session
# (the sum of its disks) and by TCP of the peer, each against what fio moved. TCP carries
# the headers of the PDUs as well, 48 bytes for 8 KiB and one for each command.
# Usage: session.sh WEIR
# shellcheck disable=SC1091,SC2154 # lib.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/iscsi.sh"
needs fio iscsiadm tgtd ip
modules sd_mod iscsi_tcp veth
size=${WEIR_LAB_SIZE:-64}
take_down() { take_down_iscsi; }

serve_iscsi
"$weir" record -s session --no-capture -t 0.5 >/dev/null 2>"$work/err" &
recorder=$!
wait_until 'the recorder answers' "$weir" mark -s session ready
sleep 2
fio --name=load --filename="/dev/$disk" --direct=1 --ioengine=libaio --iodepth=8 --rw=randrw --bs=64k \
	--size="${size}m" --minimal --eta=never --output="$work/fio"
sleep 2
"$weir" stop -s session >/dev/null 2>&1
wait $recorder
"$weir" export session --format csv >"$work/csv"

# moved KIND METRIC: rate times interval, of all ticks, to whole numbers
moved()
{
	awk -F, -v kind="$1" -v metric="$2" '
		$2 != kind || $4 != metric {next}
		before && $5 != "" {sum += $5 * ($1 - before)}
		{before = $1}
		END {printf "%.0f", sum}' "$work/csv"
}

# agree WHAT TRUE BY-WEIR: a row of the table; within 2 %
agree()
{
	echo "| $1 | $2 | $3 | $(awk -v a="$2" -v b="$3" 'BEGIN {printf "%+.2f %%", (b - a) / a * 100}') |"
	awk -v a="$2" -v b="$3" 'BEGIN {exit !(b >= a * 0.98 && b <= a * 1.02)}' || fail "$1: more than 2 % off"
}

by_fio() { awk -F';' -v column="$1" -v factor="$2" '{printf "%.0f", $column * factor}' "$work/fio"; }
read=$(by_fio 6 1024)
write=$(by_fio 47 1024)
echo "kernel $(uname -r), $size MiB of 64 KiB requests, ticks of 0.5 s"
# shellcheck disable=SC2016 # Markdown
printf '| | by fio | by weir | off |\n|---|---|---|---|\n'
for kind in disk transport; do
	agree "$kind: bytes read" "$read" "$(moved $kind $kind.read.bytes)"
	agree "$kind: bytes written" "$write" "$(moved $kind $kind.write.bytes)"
	agree "$kind: reads" $((read / 65536)) "$(moved $kind $kind.read.ops)"
	agree "$kind: writes" $((write / 65536)) "$(moved $kind $kind.write.ops)"
done
agree 'TCP: bytes received' "$read" "$(moved peer peer.rx.bytes)"
agree 'TCP: bytes sent' "$write" "$(moved peer peer.tx.bytes)"
exit "$failed"
