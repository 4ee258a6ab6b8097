#!/bin/sh
# shellcheck disable=SC1091,SC2034,SC2154 # lib.sh
# The recorder itself at 100 times speed, its clock set forth and back by hours, the host
# suspended, the process stopped and continued meanwhile: every figure is right or missing,
# every hole is a gap, and the memory does not grow.
# WEIR_MINUTES: of that faster time (20; 1440 is a day, and takes a quarter of an hour).
. "$WEIR_SRC/tests/faults/lib.sh"
minutes=${WEIR_MINUTES:-20}
fast=$WEIR_BUILD/tests/faults/fast_clock.so
export WEIR_FAST=100
LD_PRELOAD=$fast "$weir" --version >/dev/null 2>"$work/odd"
if [ -s "$work/odd" ]; then
	skip "this build takes no other clock: $(head -n 1 "$work/odd")"
fi

# One deed every thirtieth of the time, at least every half hour: a step forth, a suspend,
# a step back, a suspend. Steps of up to five hours, suspends of up to two.
deeds=$((minutes / 30 > 8 ? minutes / 30 : 8))
[ $deeds -lt 60 ] || deeds=60
every=$((minutes * 60 / (deeds + 1)))
: >"$work/steps"
suspended=0
suspends=0
plan=
for deed in $(seq "$deeds"); do
	case $((deed % 4)) in
	1 | 3)
		by=$(($(chance 18000) + 60))
		[ $((deed % 4)) -eq 1 ] || by=-$by
		printf '%+d\n' $by >>"$work/steps"
		what=step
		;;
	*)
		by=$(($(chance 7200) + 60))
		suspended=$((suspended + by))
		suspends=$((suspends + 1))
		what=suspend
		;;
	esac
	plan="$plan${plan:+,}$((deed * every)) $what $by"
done
launched=$(date +%s)
WEIR_FAST_PLAN=$plan LD_PRELOAD=$fast "$weir" record -s day --no-capture --for "${minutes}m" </dev/null \
	>"$work/day.out" 2>"$work/day.err" &
recorder=$!
recorders=$recorder

memory()
{
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$recorder/status" 2>/dev/null
}

# Stopped about once in ten minutes, for up to a minute and a half.
stops=0
half=
whole=
began=$(date +%s)
while kill -0 "$recorder" 2>/dev/null; do
	sleep "$((3 + $(chance 3))).$(chance 10)"
	kill -STOP "$recorder" 2>/dev/null || break
	sleep "0.$((2 + $(chance 7)))"
	kill -CONT "$recorder" 2>/dev/null && stops=$((stops + 1))
	now=$(memory)
	if [ -z "$half" ] && [ $((($(date +%s) - began) * 100)) -gt $((minutes * 30)) ]; then
		half=$now
	fi
	whole=${now:-$whole}
done
wait "$recorder"
check 'the recording ends by itself, and well' $? 0

sql day 'SELECT text FROM notes ORDER BY at' >"$work/notes"
sed -n 's/^the clock was set by \([-+][0-9]*\)\.000 s$/\1/p' "$work/notes" >"$work/seen"
check 'each step of the clock is an event, to the millisecond' \
	"$(cat "$work/seen")" "$(cat "$work/steps")"
check 'nothing else is taken for a step' "$(grep -c 'the clock was set' "$work/notes")" \
	"$(wc -l <"$work/steps")"
check 'each suspend is an event' "$(grep -c 'the host was suspended' "$work/notes")" "$suspends"

# Session time goes on in suspend and knows nothing of the clock on the wall; labels go by
# that clock as it was last set.
sql day 'SELECT ((SELECT max(at) FROM ticks) - began) / 1000000000, wall / 1000000000 FROM runs' |
	tr '|' ' ' >"$work/began"
read -r length wall <"$work/began"
set=$((wall - launched))
while read -r by; do
	set=$((set - by))
done <"$work/steps"
[ ${set#-} -le 600 ] # six seconds to start in
check "the run's own clock follows ($set s off)" $? 0
off=$((length - minutes * 60 - suspended))
[ $off -ge -1 ] && [ $off -le 100 ] # a stop may lie over the end
check "session time is that of the host ($off s off)" $? 0

"$weir" export day --format csv |
	awk -F, -v minutes="$minutes" -v suspended="$suspended" -v first="$wall" '
	function wrong(text) { if (bad++ < 5) print "NOT OK - " text ": " $0 }
	function near(value, wanted) { return value > wanted * 0.998 && value < wanted * 1.002 }
	NR == 1 { next }
	{ last = $1 }
	$5 != "" && $6 != "" { wrong("a value and a reason") }
	$5 == "" && $6 == "" { wrong("neither value nor reason") }
	$5 != "" && ($5 + 0 < 0 || $5 ~ /nan|inf/) && $4 != "net.speed" { wrong("absurd") }
	$2 != "disk" { next }
	disk == "" { disk = $3 }
	$6 == "gap" && $3 == disk && $4 == "disk.read.ops" { gaps++ }
	$5 == "" { next }
	$4 == "disk.read.ops" { figures++; if (!near($5, 1e6)) wrong("not 1,000,000 a second") }
	$4 == "disk.write.ops" { if (!near($5, 5e5)) wrong("not 500,000 a second") }
	$4 == "disk.read.bytes" { if (!near($5, 4096e6)) wrong("not 4 KiB each") }
	$4 == "disk.queue" { if (!near($5, 450)) wrong("not 450 outstanding") }
	END {
		off = last - first - minutes * 60 - suspended
		if (off < -2 || off > 102) wrong("the wall clock is " off " s off")
		print figures + 0, gaps + 0 >"/dev/stderr"
	}' 2>"$work/counted" >"$work/wrong"
check 'all figures are right, and the labels of time' "$(cat "$work/wrong")" ''
read -r figures gaps <"$work/counted"
[ "$figures" -gt $((minutes * 6)) ] # a busy host misses many beats of 10 ms
check 'there were figures' $? 0
# those of what is left: beyond two days ticks are taken away and minutes stay
[ "$gaps" -ge $(((suspends + stops - 1) * 3 / 4)) ]
check "each suspend and each stop is a gap" $? 0
ticks=$(sql day 'SELECT count(*) FROM ticks')
kept=$(($(sql day 'SELECT sum(length(data)) FROM ticks') / 1024))
# the ring in memory takes a day of ticks, or 32 MiB
[ "$((${whole:-0} - ${half:-${whole:-0}}))" -le $((kept * 3 / 2 + 2048)) ]
check 'the memory grows by the ticks it keeps and no more' $? 0
echo "$minutes minutes in $(($(date +%s) - began)) s, $ticks ticks, $figures rates of reads;" \
	"$(wc -l <"$work/steps") steps, $suspends suspends, $stops stops, $gaps gaps;" \
	"memory ${half:-?} KiB in the first third, ${whole:-?} at the end," \
	"$kept of ticks"
exit "$bad"
