#!/bin/sh
# shellcheck disable=SC1091,SC2154 # lib.sh
# weir's own writes must not become part of the queue depth that it reports: how often
# the recorder syncs is counted by strace. Without marks it is once in thirty seconds
# (a sync of the log and one of the file), and a few times for each mark.
# WEIR_SECONDS: how long without a mark (33).
. "$WEIR_SRC/tests/faults/lib.sh"
command -v strace >/dev/null || skip 'strace is missing: apt-get install strace'
seconds=${WEIR_SECONDS:-33}
strace -o /dev/null true 2>/dev/null || skip 'no process can be traced here'

syncs()
{
	grep -cE 'fsync|fdatasync|sync_file_range|msync' "$work/trace"
}
has_ticks()
{
	[ "$(state day ticks)" -ge "$1" ]
}

record day -t 0.1
until_true 'it records' has_ticks 10
strace -f -q -e trace=fsync,fdatasync,sync_file_range,msync,syncfs,sync \
	-o "$work/trace" -p "$recorder" &
tracer=$!
until_true 'it is traced' grep -q '^TracerPid:.*[1-9]' "/proc/$recorder/status"
first=$(state day ticks)
sleep "$seconds"
quiet=$(syncs)
ticks=$(($(state day ticks) - first))
"$weir" mark before >/dev/null
check 'a mark is saved' $? 0
marked=$(($(syncs) - quiet))
"$weir" stop day >/dev/null
wait "$tracer" 2>/dev/null
echo "$ticks ticks in $seconds s: $quiet syncs; one mark: $marked"
[ "$ticks" -ge $((seconds * 5)) ]
check 'ticks were written meanwhile' $? 0
[ "$quiet" -ge 1 ] && [ "$quiet" -le $((2 * (seconds / 30 + 1))) ]
check 'the file is synced every thirty seconds, not with each tick' $? 0
[ "$marked" -ge 1 ] && [ "$marked" -le 6 ]
check 'and for each mark' $? 0
exit "$bad"
