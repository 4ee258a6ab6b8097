#!/bin/sh
# Replays the seeds of every fuzz target: tests/fuzz/seeds/NAME through NAME_replay.
set -eu
status=0
for folder in "$WEIR_SRC"/tests/fuzz/seeds/*/; do
	name=$(basename "$folder")
	printf '%s: ' "$name"
	"$WEIR_BUILD/tests/fuzz/${name}_replay" "$folder"* || status=1
done
exit $status
