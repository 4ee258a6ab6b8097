#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154 # common.sh
# Slow storage on a plain machine: a loop device over a file whose delay this test sets,
# kept at a known depth by a load that counts by its own clock. The queue is near the
# truth in the mean, never 0 and never far off in one tick; a stall is told while it
# lasts, and a device that answers nothing any more too.
. "$WEIR_SRC/tests/app/common.sh"

[ "$(id -u)" -eq 0 ] || skip 'only root can set up loop devices'
[ -c /dev/fuse ] || skip 'this kernel has no FUSE'
bin=$WEIR_BUILD/tests/slow
server='' load='' loop=''
# shellcheck disable=SC2317 # called by the trap
take_down()
{
	# first what holds requests back, or nothing below would end
	[ -z "$server" ] || kill -KILL "$server"
	[ -z "$load" ] || kill -KILL "$load"
	[ -z "$loop" ] || losetup -d "$loop"
	umount -l "$work/slow" 2>/dev/null
	clean_up
}
trap take_down EXIT

: >"$work/slow"
mkfifo "$work/delay"
"$bin/slow_file" "$work/slow" 64 <"$work/delay" >"$work/server" 2>"$work/server.err" &
server=$!
exec 9>"$work/delay"
is_up()
{
	[ -s "$work/server" ] || is_gone "$server"
}
until_true 'the slow file is there' is_up
if is_gone "$server"; then
	server=
	skip "no FUSE file system here: $(cat "$work/server.err")"
fi
loop=$(losetup --show --direct-io=on -f "$work/slow" 2>"$work/losetup.err") ||
	skip "no loop device here: $(cat "$work/losetup.err")"
disk=${loop#/dev/}

# load DEPTH MS: keeps DEPTH reads outstanding, each of which takes MS
load()
{
	echo "$2" >&9
	rm -f "$work/ask"
	mkfifo "$work/ask"
	"$bin/slow_load" "$loop" "$1" <"$work/ask" >"$work/truth" 2>"$work/load.err" &
	load=$!
	exec 8>"$work/ask"
	until_true "$1 reads are outstanding" is_loaded "$1"
	echo >&8
}
is_loaded()
{
	[ "$(awk '{print $1 + $2}' "/sys/block/$disk/inflight")" -eq "$1" ]
}
unload()
{
	echo end >&8
	exec 8>&-
	echo 0 >&9
	wait $load
	load=
	is_idle() { is_loaded 0; }
	until_true 'nothing is outstanding' is_idle
}

# figures NAME METRIC: one line for each tick but the first, a number or why there is none
figures()
{
	"$weir" export "$1" --format csv | awk -F, -v id="$2" '
		$2 == "disk" && $4 == id && n++ {print $5 == "" ? $6 : $5}'
}

# near NAME PERCENT FAR: the mean of the queue within PERCENT of what the load counted, and
# each tick within FAR percent of it. The truth are the last seconds of the load.
near()
{
	truth=$(awk 'END {print $2}' "$work/truth")
	figures "$1" disk.queue >"$work/figures"
	echo "true $truth, weir: $(paste -s -d ' ' "$work/figures")"
	awk -v truth="$truth" -v most="$2" -v far="$3" '
		function off(value) {
			return (value > truth ? value - truth : truth - value) / truth * 100
		}
		$1 !~ /^[0-9.]+$/ {bad++; next}
		{n++; sum += $1; bad += off($1) > far}
		END {exit !n || bad || off(sum / n) > most}' "$work/figures"
	check "$1: within $2 % in the mean, $3 % in each tick" $? 0
}

# steady NAME DEPTH MS SECONDS PERCENT FAR
steady()
{
	load "$2" "$3"
	"$weir" record -s "$1" --no-capture -D "^$disk\$" --for "$4s" >"$work/out" 2>&1
	check "$1: recorded" $? 0
	unload
	near "$1" "$5" "$6"
}

steady shallow 1 50 4 5 25
steady deep 32 50 4 5 25
# three seconds a read: each tick by itself
steady slow 64 3000 8 2 3
"$weir" report -s slow >"$work/report"
says 'slow: a fact of the report' "FACT.*$disk.*STALL" "$work/report"
check 'slow: weighted time alone would read 0' \
	"$(figures slow disk.queue.weighted | grep -c '^0$')" "$(figures slow disk.queue |
		wc -l | awk '{print $1 - int($1 / 3)}')"

# ---- nobody answers any more
load 16 20
record hang -D "^$disk\$"
enough()
{
	[ "$(ticks hang)" -ge "$1" ]
}
is_shown()
{
	"$weir" attach -b -n 1 hang </dev/null >"$work/screen" 2>&1
	grep -q "$1" "$work/screen"
}
until_true 'some ticks are written' enough 4
kill -STOP $server
until_true 'the stall is on the screen with its age' is_shown "$disk.*STALL [3-9]s"
says 'an event tells of it and how many wait' "$disk: STALL, outstanding 16" "$work/screen"
kill -CONT $server
until_true 'its end is an event too' is_shown "$disk: STALL ended after [3-9]"
unload
"$weir" stop hang >/dev/null
"$weir" report -s hang >"$work/report"
says 'a fact of the report' "FACT.*$disk.*STALL" "$work/report"
figures hang disk.queue >"$work/figures"
echo "hang: $(paste -s -d ' ' "$work/figures")"
# the load ended in the last ticks; before, there is no 0 and nothing beyond what was there
sed -n '/^0$/,$!p' "$work/figures" | awk '$1 !~ /^[0-9.]+$/ || $1 > 17 {exit 1}'
check 'never more than there were' $? 0
awk '$1 == 0 {zero = NR; next} zero {exit 1}' "$work/figures"
check 'never 0 before the end' $? 0
exit "$bad"
