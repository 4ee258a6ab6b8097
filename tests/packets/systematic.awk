# Words for tests/packets/generate: every header cut at every length, every option with
# every length, each in a conversation of its own, so that what follows shows whether it
# was taken in. The first word is the link.
#   awk -v part=cut|tcp|ip4|ip6|icmp6|... -f systematic.awk
function say(word) { print word }

# Three segments; the middle one is harmed, the third tells whether it counted.
function around(kind, harm,   base) {
	base = kind ",client=" (1024 + client++ % 60000) ",id=" client % 65536
	say(base ",seq=1000,ack=500,len=100")
	say(base ",seq=1100,ack=500,len=20," harm)
	say(base ",seq=1120,ack=500,len=100")
}

function syn(kind, harm,   base) {
	base = kind ",client=" (1024 + client++ % 60000) ",id=" client % 65536
	say(base ",seq=1000,ack=500,len=100")
	say(base ",seq=5000,ack=0,flags=S,opt=0204055403030701," harm)
	say(base ",seq=1100,ack=500,len=0")
}

function lengths(kind, from, to,   n) {
	for (n = from; n <= to; n++) {
		around(kind, "cut=" n)
		around(kind, "wire=" n)
		around(kind, "cut=" n ",opt=0101080a0000000100000002")
		around(kind, "wire=" n ",opt=0101080a0000000100000002")
		syn(kind, "wire=" n)
		syn(kind, "cut=" n)
		if (kind ~ /6/ && n < 40) continue
		around(kind, "iplen=" (n - (kind ~ /6/ ? 40 : 0)))
		syn(kind, "iplen=" (n - (kind ~ /6/ ? 40 : 0)))
	}
}

function alone(kind, from, to,   n) {
	for (n = from; n <= to; n++) {
		say(kind ",cut=" n)
		say(kind ",wire=" n)
		if (n < 120) say(kind ",iplen=" n)
	}
}

function hex(number) { return sprintf("%02x", number) }
function repeat(text, times,   all) { while (times-- > 0) all = all text; return all }

# Options of each kind and length, at the end of the header and with more behind them.
function options(prefix, key, kinds, most,   kind, n, fill) {
	for (kind = 0; kind < kinds; kind++)
		for (n = 0; n <= most; n++)
			for (fill = 0; fill < 2; fill++)
				say(prefix "," key "=" hex(kind) hex(n) repeat(fill ? "07" : "00", n > 2 ? n - 2 : 0) (n % 4 == 2 && fill ? "0101" : "") ",client=" (1024 + client++ % 60000))
}

function who() { return ",client=" (1024 + client++ % 60000) }

# Source routes of each length and pointer.
function routes(   kind, n, at) {
	for (kind = 131; kind < 138; kind += 6)
		for (n = 3; n < 20; n++)
			for (at = 0; at < 24; at++)
				say("udp,len=10,ipopt=" hex(kind) hex(n) hex(at) repeat("07", n - 3) ",client=" 20000)
}

function multipath(   type, n, flags) {
	for (type = 0; type < 16; type++)
		for (n = 4; n < 32; n++)
			for (flags = 0; flags < 256; flags += 17)
				say("tcp,len=10,opt=1e" hex(n) hex(type * 16 + flags % 16) hex(flags) repeat("07", n - 4) ",client=" (1024 + client++ % 60000))
}

# Hop-by-hop options of each kind and length; padded, or cut by the end of the header.
function hop_options(   kind, n, fill, body, size) {
	for (kind = 0; kind < 256; kind++)
		for (n = 0; n < 30; n++)
			for (fill = 0; fill < 2; fill++) {
				body = hex(kind) hex(n) repeat(fill ? "07" : "00", n)
				size = int((length(body) / 2 + 2 + 7) / 8)
				body = substr(body repeat("00", 8), 1, size * 16 - 4)
				say("udp6,len=10,ext=11" hex(size - 1) body ",client=20000")
			}
	for (kind = 0; kind < 256; kind++)
		for (n = 3; n < 12; n += 3)
			say("udp6,len=10,ext=1100" hex(kind) hex(n) "07070707,client=20000")
}

function routing_headers(   type, n, left) {
	for (type = 0; type < 8; type++)
		for (n = 0; n < 8; n++)
			for (left = 0; left < 6; left++)
				say("bytes,ethertype=0x86dd,data=60000000" sprintf("%04x", 8 + n * 8 + 18) "2b40" repeat("20", 16) repeat("30", 16) \
					"11" hex(n) hex(type) hex(left) repeat("07", 4 + n * 8) "4e200bb80012beef" repeat("00", 10))
}

# ICMPv6 messages of each type and length, with options of each kind and length.
function icmp6_bodies(   type, n, kind, size, base) {
	for (type = 0; type < 170; type++)
		for (n = 0; n < 40; n += 1)
			say("icmp6,type=" type ",quote=" repeat("01", n))
	for (type = 133; type < 138; type++) {
		base = type == 133 ? 0 : type == 134 ? 8 : type == 137 ? 32 : 16
		for (kind = 0; kind < 50; kind++)
			for (size = 0; size < 6; size++) {
				say("icmp6,type=" type ",quote=" repeat("00", base) hex(kind) hex(size) repeat("00", size ? size * 8 - 2 : 6))
				say("icmp6,type=" type ",quote=" repeat("00", base) hex(kind) hex(size) repeat("07", size ? size * 8 - 2 : 6))
				say("icmp6,type=" type ",quote=" repeat("00", base) hex(kind) hex(size) repeat("07", size ? size * 8 - 4 : 3))
			}
	}
}

function icmp_bodies(   type, n) {
	for (type = 0; type < 45; type++)
		for (n = 0; n < 40; n++) {
			say("icmp,type=" type ",quote=" repeat("01", n))
			say("icmp,type=" type ",quote=" repeat("45", n))
		}
}

BEGIN {
	say("link=eth")
	if (part == "cut4") lengths("tcp", 14, 110)
	if (part == "cut6") lengths("tcp6", 14, 130)
	if (part == "alone") {
		alone("udp,len=10", 0, 60); alone("udp6,len=10", 0, 80)
		alone("icmp,len=10", 0, 60); alone("icmp6,type=128,len=10", 0, 80)
		alone("icmp,type=3,code=1,quote=4500003000000000401112340102030405060708000100020010ffff0000000000000000", 0, 100)
		alone("icmp6,type=1,quote=6000000000141140200100000000000000000000000000012001000000000000000000000000000200010002001400000000", 0, 120)
		alone("tcp,vlan=5,len=10", 0, 70); alone("tcp,in=gre,len=10", 0, 100); alone("tcp,in=ip4,len=10", 0, 90)
		alone("tcp6,in=gre,len=10", 0, 120); alone("arp", 0, 60); alone("udp6,ext=1100000000000000,len=10", 0, 90)
		alone("udp6,frag,more=16,len=40", 0, 90); alone("udp,more=16,len=40", 0, 90)
	}
	if (part == "tcp") options("tcp,len=10", "opt", 256, 38)
	if (part == "tcpsyn") options("tcp,flags=S", "opt", 40, 38)
	if (part == "route") routes()
	if (part == "mptcp") multipath()
	if (part == "hop") hop_options()
	if (part == "routing") routing_headers()
	if (part == "icmp6") icmp6_bodies()
	if (part == "icmp") icmp_bodies()
	if (part == "ip4") options("udp,len=10", "ipopt", 256, 38)
}
