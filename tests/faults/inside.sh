# shellcheck shell=sh
# Read first by tests that need a capture: they run again in mount and network namespaces
# of their own, with the weir-capture that was built where the recorder looks for it, and
# a pair of virtual cards, left and right. $WEIR_INSIDE is "no" where that cannot be.
if [ -z "${WEIR_INSIDE-}" ]; then
	WEIR_INSIDE=no
	if [ "$(id -u)" -eq 0 ] && command -v ip >/dev/null && unshare -m -n true 2>/dev/null; then
		WEIR_INSIDE=yes exec unshare -m -n "$0"
	fi
fi

# The folder for it is made in memory, over the nearest one that exists, unless the
# build itself is in there.
place_helper()
{
	helper=$("$WEIR_BUILD/weir" doctor | sed -n 's/^helper *\([^ ]*\).*/\1/p')
	near=$(dirname "$helper")
	while [ ! -d "$near" ]; do
		near=$(dirname "$near")
	done
	case $WEIR_BUILD/ in
	"$near"/*) ;;
	*) mount -t tmpfs tmpfs "$near" ;;
	esac
	mkdir -p "$(dirname "$helper")" && cp "$WEIR_BUILD/weir-capture" "$helper"
}

if [ "$WEIR_INSIDE" = yes ]; then
	mount --make-rprivate / && place_helper && mount -t sysfs sysfs /sys &&
		ip link set lo up && ip link add left type veth peer name right &&
		ip link set left up && ip link set right up || WEIR_INSIDE=no
fi
