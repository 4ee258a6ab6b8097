#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154 # inside.sh, lib.sh
# kill -9 of the recorder at random moments while marks are being set, and before that of
# the helper, of a screen, or of both: no confirmed mark is lost, the file is sound, and no
# tick that a viewer was shown is missing. WEIR_ROUNDS: how many (12). WEIR_UNTIL: no
# round begins later than that (seconds since 1970).
. "$WEIR_SRC/tests/faults/inside.sh"
. "$WEIR_SRC/tests/faults/lib.sh"
options=--no-capture
[ "$WEIR_INSIDE" = no ] || options='-i right'
rounds=${WEIR_ROUNDS:-12}
: >"$work/confirmed"
lost_all=0
seen_all=0
age_most=0

listens()
{
	[ "$(state day stopping)" = 0 ]
}

start_recorder()
{
	# shellcheck disable=SC2086 # two words or one
	setsid "$weir" record -s day $options -t 0.1 </dev/null >>"$work/day.err" 2>&1 &
	recorder=$!
	recorders=$recorder # those before are dead
	until_true 'the recorder listens' listens
}

helpers=0
screens=0

# Only those of this test: others of its kind may run beside it.
kill_helper()
{
	pkill -9 -P "$recorder" -x weir-capture && helpers=$((helpers + 1))
}

kill_screen()
{
	pkill -9 -P "$screen" && screens=$((screens + 1))
}

# What goes beside the recorder in this round; killing it changes nothing else.
kill_another()
{
	case $(chance 4) in
	0 | 1) kill_helper ;;
	2) kill_screen ;;
	*)
		kill_helper
		kill_screen
		;;
	esac
}

# Milliseconds from the last tick in the file to the kill.
how_old()
{
	sql day "SELECT max(($killed_at - wall - (SELECT max(at) FROM ticks) + began) / 1000000, 0)
		FROM runs ORDER BY number DESC LIMIT 1"
}

for round in $(seq "$rounds"); do
	if [ "$(date +%s)" -ge "${WEIR_UNTIL:-99999999999}" ]; then
		echo "# $((round - 1)) of $rounds rounds: there was no time for more"
		rounds=$((round - 1))
		break
	fi
	start_recorder
	TERM=xterm script -qec "exec $weir attach day" /dev/null </dev/null >/dev/null 2>&1 &
	screen=$!
	"$watch" "$work/run/weir/day.sock" >"$work/seen" 2>/dev/null &
	watcher=$!
	keep_marking day "m$round" &
	marker=$!
	pause_by_chance 700
	kill_another
	pause_by_chance 400
	killed_at=$(date +%s%N)
	kill -9 "$recorder"
	wait "$recorder" 2>/dev/null
	pkill -9 -P "$screen" # it still shows the end
	wait "$watcher" "$marker" "$screen" 2>/dev/null
	last=$(sql day 'SELECT max(at) FROM ticks')
	lost=$(awk -v last="${last:-0}" '$1 > last' "$work/seen" | wc -l)
	age=$(how_old)
	[ "$age" -le "$age_most" ] || age_most=$age
	lost_all=$((lost_all + lost))
	seen_all=$((seen_all + $(wc -l <"$work/seen")))
	sound=$(sql day 'PRAGMA integrity_check')
	[ "$sound" = ok ] || check "round $round left a sound file" "$sound" ok
	all_kept day || check "round $round kept all marks" "$(cat "$work/missing")" ''
done
echo "$rounds rounds; $helpers helpers and $screens screens killed too; $(wc -l <"$work/confirmed") confirmed marks and notes," \
	"$seen_all ticks seen, $lost_all of them lost, the last in the file $age_most ms old at most"
all_kept day
check 'no confirmed mark is lost' "$(cat "$work/missing")" ''
[ "$(wc -l <"$work/confirmed")" -ge "$rounds" ]
check 'marks were under way' $? 0
check 'no tick that was shown is missing' "$lost_all" 0
check 'each round is a run' "$(sql day 'SELECT count(*) FROM runs')" "$rounds"
# how: what a resumed recording says of the hole before it
how()
{
	sql day "SELECT text FROM notes WHERE text LIKE 'recording goes on after % $1'" | wc -l
}

check 'each hole says how it came about' "$(how 'its recorder was killed')" $((rounds - 1))
for _ in 1 2; do
	"$weir" record -s day --no-capture -t 0.1 --for 1s </dev/null
done
check 'an orderly stop is told from it' "$(how 'it was stopped')" 1
"$weir" export day --format csv >"$work/day.csv"
check 'the session can be read' $? 0
check 'no figure is negative or no number' \
	"$(absurd "$work/day.csv")" ''
exit "$bad"
