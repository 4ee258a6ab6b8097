# Words for tests/packets/generate: TCP conversations that go wrong in every way that the
# rules of doc/packets.md know, and in some that they do not. The same SEED, the same words.
#   awk -v seed=1 -v frames=2000 -f random.awk
function below(n) { return int(rand() * n) }
function chance(percent) { return rand() * 100 < percent }
function pick(list,   n, part) { n = split(list, part, " "); return part[1 + below(n)] }
function wrap(number) { return number - int(number / 4294967296) * 4294967296 }
function plus(number, more) { return wrap(number + more + 4294967296) }

# Close to every limit of the rules: 3 ms, 20 ms, and the round trip of the handshake.
function pause() {
	if (chance(1)) return pick("-500 -20000 -1000000")
	return pick("0 1 10 40 200 200 900 1000 2900 2999 3000 3001 3100 9000 19000 19999 20000 20001 25000 100000 400000 1200000")
}

function open_conversation(c) {
	version[c] = chance(25) ? "6" : ""
	tunnel[c] = chance(8) ? pick(",in=ip4 ,in=gre") : ""
	tag[c] = link == "eth" && chance(10) ? ",vlan=" below(3) : ""
	for (side = 0; side < 2; side++) {
		next_of[c, side] = chance(10) ? pick("0 1 4294967295 4294967290") : below(4294967296)
		window[c, side] = pick("100 1000 8192 65535 1")
		shift[c, side] = pick("0 1 3 7 14")
		kept[c, side] = 0
	}
	acked[c, 0] = next_of[c, 1]
	acked[c, 1] = next_of[c, 0]
	fresh[c] = chance(70)
}

# Options as hexadecimal digits: well made, and now and then not.
function options(c, side, flags,   text) {
	text = ""
	if (flags ~ /S/) {
		if (chance(80)) text = text "0204" pick("05b4 0200 2328")
		if (chance(70)) text = text "0303" sprintf("%02x", shift[c, side]) "01"
		if (chance(50)) text = text "04020101"
	} else {
		if (chance(30)) text = text "0101080a0000000100000002"
		if (chance(5)) text = text "0101050a0000000100000005"
	}
	if (chance(1)) text = text pick("0303 0300 0301 030303 03030f01 0204 0205000000 08 0802 0809000000000000 080a00 " \
		"05 0500 0502 0503000000 0504ffff 05 fd 1e0c0081 fe 13 1300 ff00 ff03 00ffff 0100 1c04 1b08 22 2202 220a00112233 4504 4502 06 0602 0b")
	return length(text) <= 80 ? text : ""
}

function size_of() { return pick("0 1 1 2 10 100 536 1000 1448 1460 1460 2920 9000") }

# What may be wrong with the frame itself.
function harm(c, len,   text) {
	text = ""
	if (chance(2)) text = text ",sum=" pick("bad partial lso zero")
	if (chance(1)) text = text ",cut=" (14 + below(90))
	if (chance(0.5)) text = text ",wire=" (14 + below(90))
	if (chance(0.5)) text = text ",iplen=" (20 + below(60))
	if (chance(0.3)) text = text ",iplen=0"
	if (chance(0.3)) text = text ",doff=" below(16)
	if (version[c] == "") {
		if (chance(0.5)) text = text ",ipsum=" pick("bad zero")
		if (chance(0.5)) text = text ",ipopt=" pick("01010101 44040500 83070400000000 8307080000000001 44010000 94040000 86080000 86060000")
		if (chance(0.3)) text = text ",ihl=" below(16)
		if (chance(0.3)) text = text ",ver=" below(16)
		if (chance(0.3)) text = text ",ttl=" below(6)
	}
	return text
}

function emit(c, side, seq, ack, flags, len,   word, opt, piece, id) {
	opt = options(c, side, flags)
	word = "tcp" version[c] ",client=" (40000 + c) ",seq=" seq ",ack=" ack ",flags=" flags \
		",win=" window[c, side] ",len=" len (opt == "" ? "" : ",opt=" opt) \
		(side ? ",s" : "") tag[c] tunnel[c]
	id = ",id=" below(65536)
	if (chance(1.5) && len > 100) {
		piece = 8 * (1 + below(int(len / 8)))
		first = word id (version[c] == "6" ? ",frag" : "") ",more=" (chance(80) ? piece : piece + 8)
		last = word id (version[c] == "6" ? ",frag" : "") ",off=" (chance(90) ? piece : piece + 8)
		if (chance(30)) { swap = first; first = last; last = swap }
		put(first); put(last)
		return
	}
	word = word id harm(c, len)
	put(word)
	if (chance(1)) put(word)
}

function put(word) {
	word = word ",us=" pause()
	if (held != "" && chance(50)) { print word; print held; held = ""; count += 2 }
	else if (held == "" && chance(4)) held = word
	else { print word; count++ }
}

function remember(c, side, seq, len) {
	old_seq[c, side, kept[c, side] % 8] = seq
	old_len[c, side, kept[c, side] % 8] = len
	kept[c, side]++
}

function handshake(c) {
	emit(c, 0, plus(next_of[c, 0], -1), 0, "S", chance(5) ? 10 : 0)
	if (chance(90)) emit(c, 1, plus(next_of[c, 1], -1), next_of[c, 0], "SA", 0)
	if (chance(90)) emit(c, 0, next_of[c, 0], next_of[c, 1], "A", 0)
	fresh[c] = 0
}

function send_data(c, side, len) {
	emit(c, side, next_of[c, side], acked[c, side], pick("A A PA A"), len)
	remember(c, side, next_of[c, side], len)
	next_of[c, side] = plus(next_of[c, side], len)
}

function send_again(c, side,   i, n) {
	n = kept[c, side] < 8 ? kept[c, side] : 8
	if (!n) return
	i = below(n)
	emit(c, side, chance(90) ? old_seq[c, side, i] : plus(old_seq[c, side, i], below(20) - 10), acked[c, side], "A",
		chance(80) ? old_len[c, side, i] : size_of())
}

function acknowledge(c, side, times) {
	if (chance(80)) acked[c, side] = next_of[c, !side]
	if (chance(20)) window[c, side] = pick("0 0 1 100 1000 8192 65535")
	while (times-- > 0) emit(c, side, next_of[c, side], acked[c, side], "A", 0)
}

function strange(c, side) {
	emit(c, side, chance(50) ? next_of[c, side] : plus(next_of[c, side], below(100) - 50),
		chance(50) ? acked[c, side] : plus(acked[c, side], below(3000) - 1500),
		pick("S SA F FA R RA - U FPU SF SR A PA"), chance(70) ? 0 : size_of())
}

function act(c,   side, r) {
	side = below(2); r = below(100)
	if (fresh[c]) handshake(c)
	else if (r < 32) send_data(c, side, size_of())
	else if (r < 50) acknowledge(c, side, 1)
	else if (r < 58) acknowledge(c, side, 1 + below(5))
	else if (r < 68) send_again(c, side)
	else if (r < 73) next_of[c, side] = plus(next_of[c, side], 1 + below(3000))
	else if (r < 78) emit(c, side, plus(next_of[c, side], -1), acked[c, side], "A", below(3))
	else if (r < 81) emit(c, side, next_of[c, side], acked[c, side], "A", 1)
	else if (r < 84) { window[c, side] = 0; acknowledge(c, side, 2) }
	else if (r < 88) send_data(c, side, window[c, !side] * pick("1 1 2 8 128") - plus(next_of[c, side], -acked[c, !side]) % 70000 > 0 ? \
		(window[c, !side] * pick("1 1 2 8 128")) % 20000 : 1)
	else if (r < 93) strange(c, side)
	else if (r < 95) { acked[c, side] = plus(acked[c, side], 1 + below(2000)); acknowledge(c, side, 1) }
	else if (r < 96) { emit(c, 0, chance(50) ? plus(next_of[c, 0], -1) : below(4294967296), 0, "S", 0) }
	else if (r < 97) { open_conversation(c); fresh[c] = 1 }
	else send_data(c, side, 1 + below(100))
}

BEGIN {
	CONVFMT = "%.10g" # numbers of 32 bits as they are
	OFMT = CONVFMT
	srand(seed)
	link = pick("eth eth eth eth sll sll2 null raw")
	print "link=" link
	conversations = 1 + below(30)
	for (c = 0; c < conversations; c++) open_conversation(c)
	while (count < frames) act(below(conversations))
}
