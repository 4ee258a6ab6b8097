#!/bin/sh
# All faults in their full number, one after the other, ten minutes at most; one that
# fails does not keep the others from being tried. Ends with 1 if any failed.
set -u
status=0
deadline=$(($(date +%s) + 600))

# try ROUNDS SCRIPT
try()
{
	began=$(date +%s)
	if [ "$began" -ge "$deadline" ]; then
		echo "== $2: not tried, there was no time left"
		status=1
		return
	fi
	echo "== $2"
	WEIR_ROUNDS=$1 timeout $((deadline - began)) "$WEIR_SRC/tests/$2"
	ended=$?
	[ $ended -eq 0 ] || [ $ended -eq 77 ] || status=1
	echo "-- ended with $ended after $(($(date +%s) - began)) s"
}

export WEIR_FULL_SIZE=64m WEIR_WAIT_TICKS=100
try 1 faults/frozen.sh
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
try 100 faults/killed.sh
exit $status
