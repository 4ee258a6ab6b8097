#!/bin/bash
# Network mounts against the truth: a kernel NFS server and Samba in a namespace, mounted in
# several ways; fio counts its own bytes and operations, weir counts what the clients did.
# Then the server falls silent under a load of a known depth, and then the link loses 1 %.
# As root on a machine, or a virtual one, where nobody else serves NFS or SMB. Files that the
# kernel wrote go to $OUT where it is set. Usage: clients.sh WEIR
# shellcheck disable=SC1091,SC2154,SC2034 # lib.sh
. "$(dirname "$0")/lib.sh"
needs fio ip tc ss mount.nfs rpc.nfsd exportfs smbd smbpasswd mount.cifs
modules veth nfs nfsv3 nfsv4 nfsd cifs sch_netem
[ ! -e /proc/fs/nfsd/threads ] || skip 'this machine serves NFS'
size=${WEIR_LAB_SIZE:-6}
silence=${WEIR_LAB_SILENCE:-30}

. "$(dirname "$0")/servers.sh"
take_down() { take_down_servers; }

set_up()
{
	modprobe -a veth nfs nfsv3 nfsv4 nfsd cifs sch_netem && link_servers &&
		dd if=/dev/zero of="$work/share/load" bs=1M count="$size" status=none &&
		serve_nfs && serve_smb
}

# A load that reads and writes all of the file once, in random order.
fio_once()
{
	fio --name=load --directory="$mnt" --filename=load --direct=1 --ioengine=libaio \
		--iodepth=8 --rw=randrw --bs=32k --size="${size}m" --minimal --eta=never \
		--output="$work/fio"
}

# as_rows NAME: the report of the whole session, a value in each line
as_rows() { "$weir" report -s "$1" --format csv >"$work/rows"; }

# value SECTION METRIC KEY DEVICE: of the window, empty if there is none
value()
{
	# -v would take the backslashes of a share for escapes
	device=$4 awk -F, -v section="$1" -v metric="$2" -v key="$3" '
		$1 == section && $5 == metric && $7 == key && $6 == "A" && $4 == ENVIRON["device"] {print $8; exit}' "$work/rows"
}

# total METRIC DEVICE: what it moved in the window; seconds as those of the same source
total()
{
	local mean seconds
	mean=$(value mounts "$1" mean "$2")
	seconds=$(value packets mount.errors seconds "$2")
	[ -n "$seconds" ] || seconds=$(value packets mount.retrans seconds "$2")
	awk -v mean="${mean:-0}" -v seconds="${seconds:-0}" 'BEGIN {printf "%.0f", mean * seconds}'
}

# near A B PERCENT
near() { awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN {exit !(a > 0 && (a - b) / a * 100 <= p && (b - a) / a * 100 <= p)}'; }

off() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%+.1f %%", (b - a) / (a ? a : 1) * 100}'; }

record()
{
	"$weir" record -s "$1" --no-capture -t 0.5 >/dev/null 2>"$work/err" &
	recorder=$!
	wait_until 'the recorder answers' "$weir" mark -s "$1" ready
}

stop() { "$weir" stop -s "$1" >/dev/null 2>&1; wait $recorder; }

# What the files of the kernel say, for the parsers' tests.
keep()
{
	[ -z "${OUT:-}" ] || {
		cat /proc/self/mountstats >"$OUT/mountstats-$1"
		cat /proc/fs/cifs/DebugData >"$OUT/cifs-debug-$1"
		cat /proc/fs/cifs/Stats >"$OUT/cifs-stats-$1"
	} 2>/dev/null
}

# agree NAME TYPE OPTIONS DEVICE [WORDS]: one row of the table
agree()
{
	local read write reads writes got
	attach "$2" "$3" || { fail "$1 cannot be mounted"; return; }
	[ "$2" = nfs4 ] || [ "$2" = nfs ] || sleep 1
	record "$1"
	sleep 2
	fio_once
	sleep 2
	keep "$1"
	stop "$1"
	as_rows "$1"
	read=$(awk -F';' '{print $6 * 1024}' "$work/fio") write=$(awk -F';' '{print $47 * 1024}' "$work/fio")
	reads=$(total mount.read.bytes "$4") writes=$(total mount.write.bytes "$4")
	got=$(value mounts mount.signed mean "$4")/$(value mounts mount.encrypted mean "$4")
	echo "| $1 | $read | $reads | $(off "$read" "$reads") | $write | $writes | $(off "$write" "$writes") | $(total mount.read.ops "$4") of $((read / 32768)) | $(value mounts mount.connections mean "$4") | $got |"
	near "$read" "$reads" 2 || fail "$1: bytes read"
	near "$write" "$writes" 2 || fail "$1: bytes written"
	[ -z "${5:-}" ] || [ "$5" = "$got" ] || fail "$1: signed/encrypted is $got, not $5"
	detach
}

# What NFS itself says is without an answer, by its connections.
outstanding()
{
	# shellcheck disable=SC2016 # of awk
	timeout 5 awk -v mnt="$mnt" '
		/^device/ {on = $5 == mnt}
		on && $1 == "xprt:" {n += $8 - $9}
		END {print n}' /proc/self/mountstats
}

blocked() { for task in /proc/"$recorder"/task/*/stat; do awk '{sub(/.*\) /, ""); if ($1 == "D") print "D"}' "$task"; done; }

# The server falls silent under 16 requests; in the middle a mark must be answered at once.
silent()
{
	local true_depth shown
	attach nfs4 vers=4.2,nconnect=4 || { fail 'no mount for the silence'; return; }
	record silence
	fio --name=load --directory="$mnt" --filename=load --direct=1 --ioengine=libaio --iodepth=16 \
		--rw=randread --bs=32k --size="${size}m" --time_based --runtime=600 --minimal \
		--output=/dev/null --eta=never &
	load=$!
	sleep 6
	ip -n weirlab link set san1 down
	sleep $((silence / 2))
	keep silence
	true_depth=$(outstanding)
	timeout 5 "$weir" mark -s silence middle >/dev/null || fail 'a mark was not answered during the silence'
	[ -z "$(blocked)" ] || fail 'a thread of the recorder blocks'
	sleep $((silence / 2))
	ip -n weirlab link set san1 up
	sleep 12
	end_load
	sleep 2
	stop silence
	shown=$("$weir" export silence --format csv | awk -F, '
		$2 == "mount" && $4 == "mount.inflight" && $5 != "" {n[$5]++; if (n[$5] > best) {best = n[$5]; depth = $5}} END {print depth}')
	echo
	echo "silence of $silence s, 16 reads of fio outstanding: true $true_depth, most often shown $shown"
	"$weir" report -s silence | grep -E 'FACT.*STALL' || fail 'no stall in the report'
	[ "$true_depth" = "$shown" ] || fail "in flight is $shown, not $true_depth"
	detach
}

retransmitted() { ss -Htin dst 10.77.0.2:2049 | grep -o ' retrans:[0-9]*/[0-9]*' | awk -F/ '{n += $2} END {print n + 0}'; }

lossy()
{
	local before after counted
	attach nfs4 vers=4.2 || { fail 'no mount for the loss'; return; }
	tc qdisc add dev san0 root netem loss 1%
	before=$(retransmitted)
	record loss
	fio_once
	fio_once
	wait_until 'nothing is under way' sh -c "! ss -Htin dst 10.77.0.2:2049 | grep -q unacked"
	sleep 2
	after=$(retransmitted)
	stop loss
	tc qdisc del dev san0 root
	as_rows loss
	counted=$(value packets peer.retrans count 10.77.0.2:2049)
	echo "1 % loss: ss counts $((after - before)) segments sent again, weir ${counted:-0}"
	[ "$((after - before))" = "${counted:-0}" ] || fail 'retransmissions of the peer'
	detach
}

set_up || { echo 'the servers cannot be set up here'; exit 1; }
echo "kernel $(uname -r), $(smbd --version), ticks of 0.5 s, ${size} MiB of 32 KiB requests"
# shellcheck disable=SC2016 # Markdown
echo '| mount | read by fio | by weir | off | written by fio | by weir | off | reads | connections | signed/encrypted |'
echo '|---|---|---|---|---|---|---|---|---|---|'
agree nfs3 nfs vers=3,nolock,proto=tcp,mountproto=tcp "10.77.0.2:$work/share"
agree nfs42 nfs4 vers=4.2 10.77.0.2:/
agree nfs42-4 nfs4 vers=4.2,nconnect=4 10.77.0.2:/
agree smb21 cifs "$login",vers=2.1,cache=none "$share" 0/0
agree smb21-signed cifs "$login",vers=2.1,sign,cache=none "$share" 1/0
agree smb311 cifs "$login",vers=3.1.1,cache=none "$share" 0/0
agree smb311-signed cifs "$login",vers=3.1.1,sign,cache=none "$share" 1/0
agree smb311-encrypted cifs "$login",vers=3.1.1,seal,cache=none "$share" 0/1
silent
lossy
exit "$failed"
