# shellcheck shell=bash disable=SC2034,SC2154 # read by scripts that have read lib.sh
# A kernel NFS server and Samba in a network namespace: san0 (10.77.0.1) here, san1
# (10.77.0.2) there, both serving $work/share. Nothing is left behind: the file systems
# that are mounted here lie in a mount namespace of their own or are unmounted.
share='\\10.77.0.2\share'
login=username=root,password=secret

take_down_servers()
{
	ip -n weirlab link set san1 up
	umount -f -l "$work"/mnt-*
	[ ! -s "$work/smb/smbd.pid" ] || kill "$(cat "$work/smb/smbd.pid")"
	ip netns exec weirlab sh -c 'mount -t nfsd nfsd /proc/fs/nfsd; rpc.nfsd 0; exportfs -ua'
	ip netns pids weirlab | xargs -r kill
	ip netns del weirlab
	ip link del san0
	mountpoint -q /var/lib/nfs && umount -l /var/lib/nfs
	umount -l "$work/share"
} >/dev/null 2>&1

link_servers()
{
	mkdir -p "$work/share" && mount -t tmpfs tmpfs "$work/share" && chmod 777 "$work/share"
	ip netns add weirlab && ip link add san0 type veth peer name san1 netns weirlab &&
		ip addr add 10.77.0.1/24 dev san0 && ip link set san0 up &&
		ip -n weirlab addr add 10.77.0.2/24 dev san1 &&
		ip -n weirlab link set san1 up && ip -n weirlab link set lo up
}

serve_nfs()
{
	mount -t tmpfs tmpfs /var/lib/nfs || return 1
	mkdir -p /var/lib/nfs/{v4recovery,sm,sm.bak,rpc_pipefs}
	touch /var/lib/nfs/{etab,rmtab}
	ip netns exec weirlab sh -c "
		mount -t nfsd nfsd /proc/fs/nfsd && rpcbind -w && rpc.nfsd 8 && rpc.mountd &&
		exportfs -o rw,no_root_squash,no_subtree_check,insecure,fsid=0 '*:$work/share'"
}

serve_smb()
{
	local dir=$work/smb
	mkdir -p "$dir"/ncalrpc
	cat >"$dir/smb.conf" <<-END
	[global]
	 server role = standalone server
	 private dir = $dir
	 state directory = $dir
	 cache directory = $dir
	 lock directory = $dir
	 pid directory = $dir
	 ncalrpc dir = $dir/ncalrpc
	 log file = $dir/log
	 disable netbios = yes
	 smb ports = 445
	 load printers = no
	 server min protocol = SMB2
	[share]
	 path = $work/share
	 read only = no
	END
	printf 'secret\nsecret\n' | smbpasswd -c "$dir/smb.conf" -s -a root >/dev/null &&
		ip netns exec weirlab smbd -s "$dir/smb.conf" -D
}

# attach TYPE OPTIONS [PLACE]: mounts it, and says where
attach()
{
	local source=10.77.0.2:/
	mnt=${3:-$(mktemp -d "$work/mnt-XXXX")}
	mkdir -p "$mnt"
	[ "$1" != cifs ] || source=//10.77.0.2/share
	case $2 in *vers=3,*) source=10.77.0.2:$work/share ;; esac
	timeout 60 mount -t "$1" -o "$2" "$source" "$mnt"
}

detach() { umount "$mnt" || umount -l "$mnt"; }
