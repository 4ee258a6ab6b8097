#!/bin/sh
# shellcheck disable=SC1091,SC2154 # common.sh
# The unit of the service: systemd understands it, and nothing in it takes the capability
# away from weir-capture.
. "$WEIR_SRC/tests/app/common.sh"
unit=$WEIR_SRC/doc/weir@.service.in
check 'nothing implies NoNewPrivileges' "$(grep -E '^(NoNewPrivileges|SystemCall|RestrictAddress|RestrictNamespaces|RestrictRealtime|RestrictSUIDSGID|PrivateDevices|ProtectKernel|ProtectClock|ProtectHostname|MemoryDenyWriteExecute|LockPersonality|DynamicUser)' \
	"$unit")" ''
command -v systemd-analyze >/dev/null || skip 'systemd-analyze is missing: apt-get install systemd'
sed "s|@bindir@|$WEIR_BUILD|" "$unit" >"$work/weir@.service"
# a manual that is not installed is no fault of the unit
systemd-analyze verify "$work/weir@day.service" 2>&1 |
	grep -v "Command 'man weir(1)' failed" >"$work/out"
check 'systemd understands it' "$(cat "$work/out")" ''
exit "$bad"
