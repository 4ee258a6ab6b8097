#!/bin/sh
# Replays the seeds of every fuzz target: tests/fuzz/seeds/NAME through NAME_replay.
set -eu
status=0
for folder in "$WEIR_SRC"/tests/fuzz/seeds/*/; do
	name=$(basename "$folder")
	printf '%s: ' "$name"
	"$WEIR_BUILD/tests/fuzz/${name}_replay" "$folder"* || status=1
	# as AFL calls it: one input, in a file or on standard input
	for seed in "$folder"*; do
		"$WEIR_BUILD/tests/fuzz/${name}_replay" --once "$seed" &&
			"$WEIR_BUILD/tests/fuzz/${name}_replay" <"$seed" || status=1
		break
	done
done
exit $status
