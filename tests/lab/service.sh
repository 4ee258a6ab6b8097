#!/bin/bash
# The service weir@day through real boots of a real systemd: a virtual machine with a Debian
# of its own on one disk, which is started three times: the first time new, then by
# `systemctl reboot`, then by a reset without a sync. At last the machine sleeps
# (rtcwake -m mem). By hand, as root, needs debootstrap and qemu:
#     service.sh BUILD KERNEL WORK
# BUILD: a build of weir with prefix /usr/local. KERNEL: a folder with boot/vmlinuz-* and
# lib/modules of a Debian kernel. WORK: 2 GB of room; what is in it is used again.
set -eu
here=$(dirname "$(realpath "$0")")
build=$(realpath "$1") kernel=$(realpath "$2")
mkdir -p "$3"
work=$(realpath "$3")
root=$work/root
packages=systemd,systemd-sysv,udev,dbus,kmod,libcap2-bin,sqlite3,procps,util-linux
packages=$packages,libpcap0.8,libstatgrab10,libsqlite3-0,libncursesw6,libseccomp2,libnettle8

make_root()
{
	[ -x "$root/usr/bin/sqlite3" ] || debootstrap --variant=minbase --include="$packages" \
		bookworm "$root" >"$work/debootstrap.log"
	install -D -m 755 "$build/weir" "$root/usr/local/bin/weir"
	groupadd -R "$root" -f --system weir
	useradd -R "$root" --system --gid weir --home-dir /nonexistent --no-create-home \
		--shell /usr/sbin/nologin weir 2>/dev/null || true
	install -D -m 750 "$build/weir-capture" "$root/usr/local/libexec/weir-capture"
	chroot "$root" chgrp weir /usr/local/libexec/weir-capture
	setcap cap_net_raw+ep "$root/usr/local/libexec/weir-capture"
	install -m 644 "$build/weir@.service" "$root/etc/systemd/system/"
	install -m 755 "$here/service_job.sh" "$root/opt/job"
	cat >"$root/etc/systemd/system/job.service" <<-'UNIT'
		[Unit]
		After=multi-user.target
		[Service]
		ExecStart=/opt/job
		StandardOutput=tty
		StandardError=tty
		TTYPath=/dev/ttyS0
		[Install]
		WantedBy=default.target
	UNIT
	printf '[Match]\nName=en* eth*\n[Network]\nLinkLocalAddressing=ipv6\n' \
		>"$root/etc/systemd/network/card.network"
	systemctl --root="$root" -q enable weir@day job systemd-networkd
	systemctl --root="$root" -q mask systemd-networkd-wait-online
	systemctl --root="$root" -q set-default multi-user.target
	systemctl --root="$root" -q mask serial-getty@ttyS0 getty@tty1
	rm -rf "$root/var/lib/weir-service" "$root/opt/boots" "$root/var/cache/apt"
	echo weir-lab >"$root/etc/hostname"
	printf '/dev/vda / ext4 rw 0 1\n' >"$root/etc/fstab"
	rm -f "$work/disk"
	mke2fs -q -t ext4 -d "$root" "$work/disk" 1500M
}

# What it takes to see the disk, and a network card to capture on.
make_initrd()
{
	local release=${1##*/vmlinuz-} module
	rm -rf "$work/initrd"
	mkdir -p "$work"/initrd/{bin,mod,proc,sys,dev,new}
	cp "$(command -v busybox)" "$work/initrd/bin/"
	for module in virtio_pci virtio_blk virtio_net ext4; do
		modprobe -d "$kernel" -S "$release" --show-depends "$module" | awk '$1 == "insmod" {print $2}'
	done | awk '!seen[$0]++' | while read -r file; do
		cp "$file" "$work/initrd/mod/"
		basename "$file" >>"$work/initrd/list"
	done
	cat >"$work/initrd/init" <<-'INIT'
		#!/bin/busybox sh
		/bin/busybox --install -s /bin
		mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
		while read m; do insmod /mod/$m; done </list
		mount -t ext4 /dev/vda /new
		umount /proc /sys
		mount --move /dev /new/dev
		exec switch_root /new /sbin/init
	INIT
	chmod 755 "$work/initrd/init"
	(cd "$work/initrd" && find . | cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd.gz"
}

boot=$(echo "$kernel"/boot/vmlinuz-*)
make_root
make_initrd "$boot"
timeout 1500 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 1024 -nographic -kernel "$boot" \
	-initrd "$work/initrd.gz" -append 'console=ttyS0 quiet mitigations=off systemd.show_status=0' \
	-drive "file=$work/disk,format=raw,if=virtio,cache=writethrough" \
	-nic user,model=virtio-net-pci </dev/null 2>&1 | stdbuf -o0 tr -d '\r' | tee "$work/console"
if grep -q '^NOT OK' "$work/console" || ! grep -q '^ok - the end' "$work/console"; then
	exit 1
fi
