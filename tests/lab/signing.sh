#!/bin/bash
# The same copy over SMB without signing and with signing required, three times each, a
# window around each: what the report says changed, by how much, and what the busiest core did.
# As root on a machine, or a virtual one, where nobody else serves SMB.
# Usage: signing.sh WEIR [MIB]
# shellcheck disable=SC1091,SC2154 # lib.sh
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/servers.sh"
needs ip smbd smbpasswd mount.cifs
modules veth cifs
size=${2:-128}
take_down() { take_down_servers; }

# copies NAME OPTIONS: three of them; seconds of each in $took
copies()
{
	local from round
	attach cifs "$login,vers=3.1.1,cache=none,$2" "$work/mnt-share" || { fail "$1 cannot be mounted"; return; }
	took=
	for round in 1 2 3; do
		sleep 3
		from=$(date +%s%N)
		"$weir" run -s signing "$1" -- dd if="$mnt/load" of=/dev/null bs=1M iflag=direct \
			2>"$work/run$round" || { cat "$work/run$round"; fail "copy $round of $1"; }
		took="$took $(awk -v ns=$(($(date +%s%N) - from)) -v mib="$size" \
			'BEGIN {printf "%.2f", mib * 1.048576 / (ns / 1e9)}')"
	done
	detach
}

if ! { modprobe -a veth cifs && link_servers && serve_smb; }; then
	echo 'Samba cannot be set up here'
	exit 1
fi
dd if=/dev/urandom of="$work/share/load" bs=1M count="$size" status=none
"$weir" record -s signing --no-capture >/dev/null 2>"$work/err" &
recorder=$!
wait_until 'the recorder answers' "$weir" note -s signing ready
copies plain sec=ntlmssp
plain=$took
copies signed sec=ntlmssp,sign
signed=$took
sleep 2
"$weir" stop -s signing >/dev/null 2>&1
wait $recorder
"$weir" report -s signing plain signed >"$work/report"
echo "kernel $(uname -r), $(smbd --version), $size MiB read three times: MB/s of dd not signed$plain, signed$signed"
ratio=$(awk -v a="$plain" -v b="$signed" 'BEGIN {
	split(a, x, " "); split(b, y, " "); printf "%.3f", (y[1] * y[2] * y[3] / (x[1] * x[2] * x[3])) ^ (1 / 3)}')
echo "signed / not signed: $ratio"
grep -i -E 'WORSE|BETTER|busiest core|SMB  |smb\.signed' "$work/report"
[ -z "${OUT:-}" ] || { cp "$work/report" "$OUT/signing-report"; cp "$XDG_STATE_HOME/weir/signing.weir" "$OUT/"; }
grep -q 'smb\.signed .*no *> *yes' "$work/report" || fail 'signing is not under what changed'
exit "$failed"
