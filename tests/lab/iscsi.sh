# shellcheck shell=bash disable=SC2034,SC2154 # read by scripts that have read lib.sh
# A real iSCSI disk: the kernel's initiator, tgtd as the target in a network namespace,
# san0 (10.77.0.1) here and san1 (10.77.0.2) there. serve_iscsi sets $disk.
tgtd=
iscsid=

within() { ip netns exec target "$@"; }
admin() { within tgtadm --lld iscsi "$@"; }

a_disk()
{
	disk=$(find /sys/block -maxdepth 1 -name 'sd*' -printf '%f\n' | head -1)
	[ -n "$disk" ]
}

serve_iscsi()
{
	modprobe -a sd_mod iscsi_tcp veth
	ip netns add target
	ip link add san0 type veth peer name san1 netns target
	ip addr add 10.77.0.1/24 dev san0
	ip link set san0 up
	ip -n target addr add 10.77.0.2/24 dev san1
	ip -n target link set san1 up
	ip -n target link set lo up
	mkdir -p /run/tgtd
	dd if=/dev/zero of=/dev/shm/lun bs=1M count=200 status=none
	ip netns exec target tgtd -f >/dev/null 2>&1 &
	tgtd=$!
	wait_until 'the target answers' admin --op show --mode sys
	admin --op new --mode target --tid 1 -T iqn.2026-01.test:lun1
	admin --op new --mode logicalunit --tid 1 --lun 1 -b /dev/shm/lun
	admin --op bind --mode target --tid 1 -I ALL
	setsid iscsid -f >/dev/null 2>&1 & # it ends its process group with itself
	iscsid=$!
	wait_until 'the target is found' iscsiadm -m discovery -t st -p 10.77.0.2
	iscsiadm -m node -l >/dev/null
	wait_until 'there is a disk' a_disk
}

take_down_iscsi()
{
	iscsiadm -m node -u >/dev/null 2>&1
	# shellcheck disable=SC2086 # not there if it was never begun
	kill $tgtd $iscsid 2>/dev/null
	ip netns del target 2>/dev/null
	rm -f /dev/shm/lun
}
