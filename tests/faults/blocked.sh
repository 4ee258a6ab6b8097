#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154,SC2317 # inside.sh, lib.sh; called by until_true
# Files of the kernel that never answer, as an attribute of a device that hangs: each file
# that a recording opens in /sys is replaced, one at a time, by a pipe that nobody writes
# into, and a recorder is started. Whatever source that blocks, its ticks come, it answers,
# says which source is late, and it can be stopped.
# WEIR_BLOCK: how many of the files, evenly chosen (5).
. "$WEIR_SRC/tests/faults/inside.sh"
. "$WEIR_SRC/tests/faults/lib.sh"
[ "$WEIR_INSIDE" = yes ] || skip 'namespaces cannot be made here'
command -v strace >/dev/null || skip 'strace is missing: apt-get install strace'
strace -o /dev/null true 2>/dev/null || skip 'no process can be traced here'
some=${WEIR_BLOCK:-5}

has_ticks()
{
	ticks=$(state day ticks 2>/dev/null)
	[ "${ticks:-0}" -ge 8 ]
}
late()
{
	state day sources | grep -q 'late%20[0-9]'
}

strace -f -e trace=openat,open -o "$work/trace" \
	"$weir" record -s look -i right --for 1s </dev/null 2>/dev/null
grep -oE '"/sys/[^"]*", O_RDONLY[^=]*= [0-9]' "$work/trace" | cut -d'"' -f2 | sort -u |
	grep -v '^/sys/devices/system/' | # the C library's own, wherever it makes an arena
	while read -r file; do [ -f "$file" ] && echo "$file"; done >"$work/files"
all=$(wc -l <"$work/files")
[ "$all" -gt "$some" ] || some=$all
mkfifo "$work/pipe"
tried=0
late_said=0
for number in $(seq "$some"); do
	file=$(sed -n "$((number * all / some))p" "$work/files")
	mount --bind "$work/pipe" "$file" 2>/dev/null || continue
	tried=$((tried + 1))
	setsid "$weir" record -s day -i right -t 0.1 </dev/null >"$work/day.out" 2>"$work/day.err" &
	recorder=$!
	recorders=$recorder
	tries=0
	until has_ticks 2>/dev/null || [ $tries -gt 60 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	has_ticks || check "ticks come while $file blocks" no yes
	late && late_said=$((late_said + 1))
	timeout 20 "$weir" stop day >/dev/null 2>"$work/stop.err"
	ended=$?
	[ $ended -eq 0 ] || check "a recorder stops while $file blocks" "$ended" 0
	kill -9 "$recorder" 2>/dev/null
	wait "$recorder" 2>/dev/null
	umount "$file"
done
echo "$tried of $all files blocked in turn; $late_said times a source was said to be late"
[ "$tried" -ge 3 ]
check 'files were blocked' $? 0
exit "$bad"
