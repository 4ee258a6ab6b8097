#!/bin/sh
# shellcheck disable=SC1091,SC2154 # common.sh
# A session whose notes alone weigh more than a viewer may let wait: it is watched.
. "$WEIR_SRC/tests/app/common.sh"

record day -t 1 --no-capture
head -c 60000 /dev/zero | tr '\0' ' ' >"$work/blanks"
n=0
while [ $((n += 1)) -le 120 ]; do
	"$weir" note --attach "switch $n" <"$work/blanks" >"$work/out" 2>&1 || break
done
check '120 attachments of 60 kB are taken' "$n" 121
"$weir" attach -b -n 1 >"$work/screen" 2>"$work/err"
check 'a screen is drawn' $? 0
says 'of that session' ' day ' "$work/screen"
"$weir" run copy -- true >"$work/out" 2>&1
check 'a command is watched to its end' $? 0
"$weir" stop day >/dev/null
exit "$bad"
