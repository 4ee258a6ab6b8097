#!/bin/sh
# shellcheck disable=SC1091,SC2154 # common.sh
# The bundle: everything about a session in one file, with hashes that check, and under
# --redact nothing that could not be covered.
. "$WEIR_SRC/tests/app/common.sh"
failed=0

fail()
{
	printf '%s\n' "$*"
	failed=1
}

cd "$work" || exit 1
"$weir" record -s change --no-capture -t 0.2 --for 2s &
recorder=$!
until "$weir" note -s change 'the old card is out' 2>/dev/null; do sleep 0.05; done
printf 'port 7 crc 12\nat 192.0.2.77\n' | "$weir" note --attach 'switch port 7/1' -s change ||
	fail 'no attachment'
wait $recorder || fail 'not recorded'

"$weir" bundle -s change -o out.tar.gz 2>err || fail "no bundle: $(cat err)"
grep -q 'evidence.pcapng: there is none: no packets were captured' err ||
	fail 'no word about the evidence that is not there'
[ "$(stat -c %a out.tar.gz)" = 600 ] || fail 'others may read the bundle'
tar tzf out.tar.gz | sort >names || fail 'no tar.gz'
for name in LEFT-OUT.txt SHA256SUMS attachment-01-switch_port_7_1.txt figures.csv report.csv \
	report.json report.txt session.weir; do
	grep -qx "out/$name" names || fail "no $name in it"
done
tar xzf out.tar.gz || fail 'not unpacked'
(cd out && sha256sum -c --quiet SHA256SUMS) || fail 'the hashes are others'
[ "$(wc -l <out/SHA256SUMS)" = "$(($(wc -l <names) - 1))" ] || fail 'a file has no hash'
printf 'port 7 crc 12\nat 192.0.2.77\n' | cmp -s - out/attachment-01-switch_port_7_1.txt ||
	fail 'the attachment is another'
"$weir" report -s "$work/out/session.weir" >/dev/null || fail 'the session cannot be read'
[ "$(find . -maxdepth 1 -name 'out.tar.gz*' | wc -l)" = 1 ] || fail 'something is left beside it'

"$weir" bundle -s change -o out.tar.gz 2>err && fail 'written over'
"$weir" bundle -s change 2>err && fail 'without a name'
"$weir" bundle -s nothing -o none.tar.gz 2>err && fail 'of no session'
[ ! -e none.tar.gz ] || fail 'an empty bundle is left'
"$weir" bundle -s change -o none/none.tar.gz 2>err && fail 'into no folder'

# What cannot be read is not called nothing.
if command -v sqlite3 >/dev/null; then
	cp out/session.weir broken.weir
	sqlite3 broken.weir 'ALTER TABLE evidence RENAME COLUMN classes TO kinds' || fail 'not broken'
	"$weir" bundle -s "$work/broken.weir" -o broken.tar.gz 2>err && fail 'called whole'
	grep -q 'evidence.pcapng: it could not be made' err || fail "no word why: $(cat err)"
	tar tzf broken.tar.gz | grep -q session.weir || fail 'what can be made is not there'
fi

# A session with a page that cannot be read: what can be, and the file as it is.
cp out/session.weir torn.weir
size=$(stat -c %s torn.weir)
dd if=/dev/urandom of=torn.weir bs=4096 seek=$((size / 8192)) count=1 conv=notrunc 2>/dev/null
"$weir" bundle -s "$work/torn.weir" -o torn.tar.gz 2>err && fail 'a torn one is called whole'
tar xzf torn.tar.gz || fail 'no bundle of a torn session'
cmp -s torn.weir torn/damaged-session.weir || fail "it is not in as it is: $(ls torn)"
grep -q damaged-session.weir torn/SHA256SUMS || fail 'it has no hash'
grep -q 'session.weir: as it is' torn/LEFT-OUT.txt || fail 'that is not said'
[ -e torn/report.txt ] || fail 'what could be read is not in it'
"$weir" bundle -s "$work/torn.weir" --redact -o torn2.tar.gz 2>err
tar tzf torn2.tar.gz | grep -q damaged && fail 'what is private is in a redacted one'

"$weir" bundle -s change --redact -o hidden.tar.gz 2>err || fail "not redacted: $(cat err)"
for name in session.weir evidence.pcapng figures.csv; do
	grep -q "$name" err || fail "no word about $name"
done
tar xzf hidden.tar.gz || fail 'no redacted tar.gz'
for name in session.weir evidence.pcapng figures.csv; do
	[ ! -e "hidden/$name" ] || fail "$name is not left out"
done
grep -rqF "$(uname -n)" hidden && fail 'the name of the host is in it'
grep -rqF 192.0.2.77 hidden && fail 'an address is in it'
exit $failed
