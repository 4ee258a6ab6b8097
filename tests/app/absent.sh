#!/bin/sh
# In a container without any storage over a network, as a plain user where root can become
# one: each source says why it has nothing, and nothing of what is not there is 0, in the
# export, in the report, in the sources.
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
mkdir -m 700 "$dir/state" "$dir/run" "$dir/plain"
export XDG_STATE_HOME="$dir/state" XDG_RUNTIME_DIR="$dir/run" HOME="$dir"

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

$enter "$weir" record -s absent -t 0.2 --for 2s >"$dir/log" 2>&1 || {
	cat "$dir/log"
	exit 1
}
# Nothing of what is not there has a figure; each source of it has a reason.
look()
{
	session=$1
	"$weir" export "$session" --format csv >"$dir/rows"
	if awk -F, '$2 ~ /^(mount|peer|connection|call|counter|transport|nic)$/' "$dir/rows" | grep .; then
		echo 'these are not there'
		exit 1
	fi
	"$weir" export "$session" --format json >"$dir/lines"
	"$weir" report -s "$session" >"$dir/report"
	if grep -E 'NETWORK MOUNTS|STORAGE PEERS|OF MOUNTS|TRANSPORTS' "$dir/report"; then
		echo 'the report has sections of what is not there'
		exit 1
	fi
	for format in md csv json; do
		"$weir" report -s "$session" --format $format >"$dir/report.$format"
	done
	if grep -E '"(mount|peer|transport|fc|net|connection|counter|packets)\.[a-z.]*"[^}]*: 0[,}]' "$dir/report.json"; then
		echo 'these are 0 and not there'
		exit 1
	fi
	for source in nichw packets peers mounts shares iscsi fc; do
		for page in report report.md report.csv report.json; do
			grep -E "$source: [a-zA-Z/]" "$dir/$page" >/dev/null || {
				echo "$page does not say why there is no $source"
				exit 1
			}
		done
		awk -F, -v source=$source '$2 == "source" && $3 == source && $4 == "source.serves" &&
			$5 == "" && $6 ~ /^"?(absent|denied|failed): ./ {said++} END {exit said != 1}' "$dir/rows" || {
			echo "the export does not say once why there is no $source"
			exit 1
		}
		grep -E "\"source\",\"device\":\"$source\".*\"value\":null,\"why\":\"(absent|denied|failed): " \
			"$dir/lines" >/dev/null || {
			echo "the export of JSON does not say why there is no $source"
			exit 1
		}
	done
}

look absent

# The same for a user without any right.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$dir"
	chown 65534:65534 "$dir/plain"
	# shellcheck disable=SC2016 # the inner shell's
	unshare -nm setpriv --reuid=65534 --regid=65534 --clear-groups env XDG_STATE_HOME="$dir/plain" \
		XDG_RUNTIME_DIR="$dir/plain" "$weir" record -s plain -t 0.2 --for 2s >"$dir/log" 2>&1 || {
		cat "$dir/log"
		exit 1
	}
	XDG_STATE_HOME="$dir/plain"
	look plain
	# and as "root" of a user namespace, in which the host's root has no number
	mkdir -m 700 "$dir/inner"
	chown 65533:65533 "$dir/inner"
	if setpriv --reuid=65533 --regid=65533 --clear-groups unshare -Urn true 2>/dev/null; then
		setpriv --reuid=65533 --regid=65533 --clear-groups unshare -Urn env \
			XDG_STATE_HOME="$dir/inner" XDG_RUNTIME_DIR="$dir/inner" \
			"$weir" record -s inner -t 0.2 --for 2s >"$dir/log" 2>&1 || {
			cat "$dir/log"
			exit 1
		}
		XDG_STATE_HOME="$dir/inner"
		look inner
	else
		echo 'a user may not make namespaces here: that was not looked at'
	fi
	XDG_STATE_HOME="$dir/state"
else
	echo 'not root, or no setpriv: a user without rights not looked at'
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
