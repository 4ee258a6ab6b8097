# shellcheck shell=sh
# For terminal tests: a tmux of their own, folders of their own, and waiting until
# something is there instead of sleeping. Sourced by each case.
# shellcheck disable=SC2034
set -u
command -v tmux >/dev/null || { echo 'tmux is missing: apt-get install tmux'; exit 77; }
top=$(mktemp -d) || exit 1
export XDG_STATE_HOME="$top/state" XDG_RUNTIME_DIR="$top/run" HOME="$top"
mkdir -m 700 "$top/state" "$top/run"
weir="$WEIR_BUILD/weir"
name=case$$
unset TMUX NO_COLOR

mux()
{
	tmux -S "$top/tmux" -f /dev/null "$@"
}

finish()
{
	status=$?
	"$weir" stop "$name" >/dev/null 2>&1
	mux kill-server 2>/dev/null
	rm -rf "$top"
	exit $status
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# A shell of 80x24 with the prompt "ready>", in which programs are started.
open_terminal()
{
	mux new-session -d -x "80" -y "24" \
		"env PS1='ready> ' ENV= LC_ALL=${LOCALE:-C.UTF-8} sh -i"
	wait_for 'ready>'
}

shown()
{
	mux capture-pane -p
}

# Types a line into the shell.
run()
{
	mux send-keys -l "$1"
	mux send-keys Enter
}

key()
{
	mux send-keys "$@"
}

# Until the screen matches the pattern, at most 20 s (a slow machine, a sanitizer).
wait_for()
{
	for _ in $(seq 200); do
		shown | grep -Eq -e "$1" && return 0
		sleep 0.1
	done
	echo "never shown: $1"
	shown
	exit 1
}

# Until the command succeeds.
wait_until()
{
	for _ in $(seq 200); do
		"$@" && return 0
		sleep 0.1
	done
	echo "never true: $*"
	exit 1
}

start()
{
	run "$weir -s $name -i lo --no-capture"
	wait_for 'COVERAGE 100%'
}

# The terminal is as it was: the shell echoes, the line settings are the usual ones. The
# prompt may come only after what was typed into the program's last moment.
terminal_is_back()
{
	run 'stty -a | tr ";" "\n" | grep -c -e "[^-]icanon" -e "[^-]echo "; echo back'
	wait_for '^back'
	shown | grep -B1 '^back' | grep -q '^\(ready> \)\{0,1\}[1-9]' || {
		echo 'the terminal is not as it was:'
		shown
		exit 1
	}
}
