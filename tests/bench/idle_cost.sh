#!/bin/bash
# CPU time of the recorder and its helpers beside `htop -d 10`, over the same seconds:
# both read once a second. Prints the ratio; fails where weir takes more.
#   idle_cost.sh [SECONDS]   (45)
set -u
seconds=${1:-45}
weir=${WEIR:-${WEIR_BUILD:-.}/weir}
command -v htop >/dev/null || { echo 'htop is missing: apt-get install htop'; exit 77; }

folder=$(mktemp -d)
export XDG_STATE_HOME=$folder XDG_RUNTIME_DIR=$folder/run
mkdir -p "$XDG_RUNTIME_DIR"
started=
clean_up()
{
	# shellcheck disable=SC2086 # numbers
	[ -z "$started" ] || kill $started 2>/dev/null
	wait
	rm -rf "$folder"
}
trap clean_up EXIT

# family PID...: these and all their descendants.
family()
{
	for pid; do
		echo "$pid"
		# shellcheck disable=SC2046
		family $(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
	done
}

# spent PID...: nanoseconds of CPU of all threads of the processes.
spent()
{
	for pid; do
		cat "/proc/$pid/task/"*/schedstat 2>/dev/null
	done | awk '{sum += $1} END {printf "%.0f\n", sum}'
}

"$weir" record -s idle >"$folder/said" 2>&1 &
recorder=$!
script -qfc 'stty rows 24 cols 80; exec htop -d 10' "$folder/htop" </dev/null >/dev/null 2>&1 &
terminal=$!
started="$recorder $terminal"
sleep 5 # the start is not what is measured
kill -0 "$recorder" 2>/dev/null || { cat "$folder/said"; exit 1; }
htop=$(pgrep -n -P "$(family "$terminal" | paste -sd,)" htop)
[ -n "$htop" ] || { echo 'htop did not start'; exit 1; }
# shellcheck disable=SC2046
set -- $(family "$recorder")
shift # the recorder itself
own=$(spent "$recorder") help=$(spent "$@") other=$(spent "$htop")
sleep "$seconds"
own=$(($(spent "$recorder") - own)) help=$(($(spent "$@") - help)) other=$(($(spent "$htop") - other))
awk -v own="$own" -v help="$help" -v other="$other" -v seconds="$seconds" -v helpers=$# 'BEGIN {
	printf "recorder %.2f%%, %d helpers %.2f%%, htop -d 10 %.2f%% of a core, over %d s\n",
		own / seconds / 1e7, helpers, help / seconds / 1e7, other / seconds / 1e7, seconds
	printf "ratio %.2f (at most 1)\n", (own + help) / other
	exit own + help > other
}'
