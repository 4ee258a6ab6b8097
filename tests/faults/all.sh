#!/bin/sh
# All faults in their full number, ten minutes at most; one that fails does not keep the
# others from being tried. Ends with 1 if any failed.
set -u
deadline=$(($(date +%s) + 600))
notes=$(mktemp -d) || exit 1
trap 'rm -rf "$notes"' EXIT

# try ROUNDS SCRIPT
try()
{
	began=$(date +%s)
	echo "== $2"
	if [ "$began" -ge "$deadline" ]; then
		echo '-- not tried, there was no time left'
		: >"$notes/failed"
		return
	fi
	WEIR_ROUNDS=$1 timeout $((deadline - began)) "$WEIR_SRC/tests/$2"
	ended=$?
	[ $ended -eq 0 ] || [ $ended -eq 77 ] || : >"$notes/failed"
	echo "-- ended with $ended after $(($(date +%s) - began)) s"
}

# lane NAME FUNCTION: beside the others, most of which only wait; the load makes their
# moments the more random. What it says is shown at the end.
lane()
{
	"$2" >"$notes/lane-$1" 2>&1 &
}

# shellcheck disable=SC2317 # called by lane
kill_them()
{
	WEIR_UNTIL=$((deadline - 30)) try 100 faults/killed.sh
}

# shellcheck disable=SC2317
pass_the_time()
{
	WEIR_MINUTES=240 try 1 faults/day.sh
}

# shellcheck disable=SC2317
break_disks()
{
	try 1 faults/disk.sh
	try 1 app/full.sh
	try 1 app/hung.sh
	try 40 faults/cut.sh
	try 60 faults/mutated.sh
}

# shellcheck disable=SC2317
break_sources()
{
	WEIR_BLOCK=12 try 1 faults/blocked.sh
	try 1 faults/interface.sh
	try 1 faults/hostile.sh
}

export WEIR_FULL_SIZE=64m WEIR_WAIT_TICKS=100
lane 1 kill_them
lane 2 kill_them
lane 3 pass_the_time
lane 4 break_disks
lane 5 break_sources
try 1 faults/frozen.sh
WEIR_SECONDS=60 try 1 faults/flood.sh
try 10 faults/stopped.sh
try 1 faults/syncs.sh
try 1 pty/hangup.sh
try 500 faults/resize.sh
wait
cat "$notes"/lane-*
[ ! -e "$notes/failed" ]
