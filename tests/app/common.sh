# shellcheck shell=sh disable=SC2034 # used by the scripts that read this
# What the whole-program tests share: folders of their own, waiting until something is
# so instead of sleeping, and nothing left running.
set -u
weir=$WEIR_BUILD/weir
work=$(mktemp -d) || exit 1
mkdir "$work/run" "$work/state"
export XDG_STATE_HOME="$work/state" XDG_RUNTIME_DIR="$work/run"
export XDG_CONFIG_HOME="$work/config"
folder=$work/state/weir
unset SUDO_USER
bad=0
recorders=
mounted=

# shellcheck disable=SC2317 # called by the trap
clean_up()
{
	for pid in $recorders $(sed -n 's/^pid //p' "$work"/pids 2>/dev/null); do
		kill -9 "$pid" 2>/dev/null
	done
	wait 2>/dev/null
	[ -z "$mounted" ] || umount "$mounted"
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP # one that is given up for its time leaves no recorder behind

skip()
{
	echo "SKIP: $1"
	exit 77
}

# check WHAT GOT WANTED
check()
{
	if [ "$2" = "$3" ]; then
		echo "ok - $1"
	else
		printf 'NOT OK - %s: got "%s", want "%s"\n' "$1" "$2" "$3"
		bad=1
	fi
}

# says WHAT PATTERN FILE
says()
{
	if grep -q -e "$2" "$3"; then
		echo "ok - $1"
	else
		printf 'NOT OK - %s: "%s" is not in:\n' "$1" "$2"
		cat "$3"
		bad=1
	fi
}

# until_true WHAT COMMAND...: waits until COMMAND comes true, twenty seconds at most.
until_true()
{
	what=$1
	shift
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		if [ $tries -gt 400 ]; then
			echo "NOT OK - gave up waiting until $what"
			cat "$work"/*.err 2>/dev/null
			exit 1
		fi
		sleep 0.05
	done
}

# record NAME OPTIONS...: a recorder without a terminal; its number is in $recorder.
record()
{
	name=$1
	shift
	setsid "$weir" record -s "$name" --no-capture "$@" \
		</dev/null >"$work/$name.out" 2>"$work/$name.err" &
	recorder=$!
	recorders="$recorders $recorder"
	until_true "the recorder of $name answers" answers "$name"
}

answers()
{
	"$weir" list | grep -q "^$1 .*recording"
}

is_gone()
{
	! kill -0 "$1" 2>/dev/null
}

# ticks NAME: the different times in its export.
ticks()
{
	"$weir" export "$1" --format csv | tail -n +2 | cut -d, -f1 | sort -u | wc -l
}
