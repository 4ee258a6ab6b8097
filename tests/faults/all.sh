#!/bin/sh
# All faults in their full number, ten minutes at most; one that fails does not keep the
# others from being tried. Ends with 1 if any failed.
set -u
deadline=$(($(date +%s) + 600))
notes=$(mktemp -d) || exit 1
trap 'rm -rf "$notes"' EXIT
besides=0

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

# beside ROUNDS SCRIPT: while the others are tried, whose load makes its moments the more
# random; what it says is shown at the end.
beside()
{
	besides=$((besides + 1))
	try "$1" "$2" >"$notes/$besides" 2>&1 &
}

export WEIR_FULL_SIZE=64m WEIR_WAIT_TICKS=100
beside 100 faults/killed.sh
beside 100 faults/killed.sh
WEIR_MINUTES=240 beside 1 faults/day.sh
try 1 faults/frozen.sh
WEIR_SECONDS=60 try 1 faults/flood.sh
try 10 faults/stopped.sh
try 40 faults/cut.sh
try 1 faults/disk.sh
WEIR_BLOCK=12 try 1 faults/blocked.sh
try 1 faults/interface.sh
try 1 faults/hostile.sh
try 1 pty/hangup.sh
try 1 faults/syncs.sh
try 1 app/full.sh
try 1 app/hung.sh
try 500 faults/resize.sh
try 60 faults/mutated.sh
wait
for number in $(seq "$besides"); do
	cat "$notes/$number"
done
[ ! -e "$notes/failed" ]
