#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016,SC2317 # common.sh; a word of another script; called
# An alert in the middle of a storm of other events is told, and its program started.
. "$WEIR_SRC/tests/app/common.sh"

if [ -z "${WEIR_INSIDE:-}" ]; then
	rm -rf "$work"
	unshare -n true 2>/dev/null || skip 'needs root, for network cards to remove'
	command -v ip >/dev/null || skip 'ip is not installed'
	WEIR_INSIDE=yes exec unshare -n "$0"
fi

conf=$work/config/weir/weir.conf
mkdir -p "$work/config/weir"
printf '#!/bin/sh\necho "$1" >>"%s"\n' "$work/called" >"$work/tell"
chmod 755 "$work/tell"
printf 'alert = weir.cpu ^host$ < 1000 for 3s\non_alert = %s\n' "$work/tell" >"$conf"
chmod 644 "$conf"
n=0
while [ $((n += 1)) -le 100 ]; do
	echo "link add d$n group 7 type veth peer name e$n"
done | ip -batch - || skip 'no pairs of network cards here'
left_out()
{
	"$weir" report -s day --format csv | grep '^notes,notes' >"$work/notes"
	grep -q 'events were left out' "$work/notes"
}
record day -t 0.2 --no-capture --all
ip link del group 7
until_true 'the program is started' test -s "$work/called"
until_true 'what was left out is said' left_out
"$weir" stop day >/dev/null
check 'the alert is told' "$(grep -c ',kind,alert$' "$work/notes")" 1
exit "$bad"
