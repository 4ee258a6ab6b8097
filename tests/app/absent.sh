#!/bin/sh
# In a container without any storage over a network: each source says why it has nothing,
# and nothing of what is not there is 0, in the export, in the report, in the sources.
# Opens nothing below a mount point either, where strace can tell.
set -eu
weir=$WEIR_BUILD/weir

skip()
{
	echo "$1"
	exit 77
}

unshare -Urnm true 2>/dev/null || unshare -nm true 2>/dev/null ||
	skip 'no namespace may be made here'
enter='unshare -Urnm'
$enter true 2>/dev/null || enter='unshare -nm'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -m 700 "$dir/state" "$dir/run"
export XDG_STATE_HOME="$dir/state" XDG_RUNTIME_DIR="$dir/run"

$enter "$weir" sources >"$dir/sources" 2>&1
for source in mounts shares peers; do
	awk -v source=$source '
		$1 == source {found = 1; bare = $3 == 0; next}
		found && bare {exit /^ +[a-z]/ ? 0 : 1}
		found {exit 1}
		END {if (!found) exit 1}' "$dir/sources" || {
		echo "$source does not say why it has nothing:"
		cat "$dir/sources"
		exit 1
	}
done

$enter "$weir" record -s absent -t 0.2 --no-capture --for 2s >"$dir/log" 2>&1 || {
	cat "$dir/log"
	exit 1
}
"$weir" export absent --format csv >"$dir/rows"
if awk -F, '$2 ~ /^(mount|peer|connection|call|counter|transport)$/' "$dir/rows" | grep .; then
	echo 'these are not there'
	exit 1
fi
"$weir" report -s absent >"$dir/report"
if grep -E 'NETWORK MOUNTS|STORAGE PEERS|OF MOUNTS' "$dir/report"; then
	echo 'the report has sections of what is not there'
	exit 1
fi

command -v strace >/dev/null || { echo 'without strace: touching of mounts not looked at'; exit 0; }
mkdir "$dir/point"
# shellcheck disable=SC2016 # the inner shell's
$enter sh -c '
	mount -t tmpfs tmpfs "$1/point" && exec strace -f -o "$1/trace" "$2" record -s traced -t 0.2 \
		--no-capture --for 2s' sh "$dir" "$weir" >"$dir/log" 2>&1 || {
	echo 'strace cannot run here'
	exit 0
}
if grep -E "$dir/point|statfs" "$dir/trace" | grep -v "statfs(\"$dir/\(state\|run\)" | grep .; then
	echo 'a mount was touched'
	exit 1
fi
