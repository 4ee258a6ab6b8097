#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2317 # common.sh; called by another function
# Thresholds of the configuration: alerts in the session and in the report, a program
# that is started without a shell, and a wrong line that stops the start.
. "$WEIR_SRC/tests/app/common.sh"

conf=$work/config/weir/weir.conf
mkdir -p "$work/config/weir"
cat >"$work/tell" <<EOT
#!/bin/sh
for word; do printf '%s|' "\$word"; done >>"$work/called"
echo >>"$work/called"
head -c 200000 /dev/zero
echo whole >>"$work/ended"
EOT
chmod 755 "$work/tell"

printf '# mine\nalert = host.nonsense . > 1\n' >"$conf"
"$weir" record -s day --for 1s --no-capture >"$work/out" 2>&1
check 'a wrong line stops the start' $? 1
says 'it is named' 'weir.conf, line 2: there is no metric' "$work/out"

# weir itself uses less than a thousand processors: an alert at once, that stays
printf 'alert = weir.cpu ^host$ < 1000\nalert = weir.cpu ^host$ > 1000\non_alert = %s\n' \
	"$work/tell" >"$conf"
chmod 666 "$conf"
"$weir" record -s day --for 1s --no-capture >"$work/out" 2>&1
check 'a program in a file that others can change is refused' $? 1
says 'with the way out' 'chmod go-w' "$work/out"
chmod 644 "$conf"
record day -t 0.2 --no-capture
"$weir" mark before >/dev/null
called()
{
	grep -q '^begin|weir.cpu|host|1000|0' "$work/called" 2>/dev/null
}
until_true 'the program is started' called
until_true 'and not held by what it writes' test -s "$work/ended"
"$weir" stop day >/dev/null
"$weir" report -s day --format csv >"$work/report"
says 'the alert is in the report' ',text,"*host .* below .*, now ' "$work/report"
check 'once' "$(grep -c ',kind,alert$' "$work/report")" 1
check 'and the program was started once' "$(wc -l <"$work/called" | tr -d ' ')" 1
exit "$bad"
