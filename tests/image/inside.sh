#!/bin/sh
# What test-image looks at in the booted image; nobody has typed anything.
set -eu
say() { echo "  $*"; }
clock() { cut -d . -f 1 /proc/uptime; }
until_so() {  # UNIT COMMAND…: however busy the machine is; what the unit said where it is never so
    unit=$1; shift
    latest=$(($(clock) + 600))
    until "$@"; do
        [ "$(clock)" -lt $latest ] || { journalctl --no-pager -n 60 -u "$unit" -u companion; exit 1; }
        sleep 1
    done
}
until_so companion-first-start [ -e /var/lib/companion-first-start/done ]
curl -fsS -o /tmp/page http://127.0.0.1:8000/
grep -q "<html" /tmp/page
say "the page answers from power-on"
systemctl is-active --quiet companion
[ "$(stat -c %a /var/lib/private/companion/companion.toml)" = 600 ]
curl -fsS -H 'Host: table.example' -o /dev/null http://127.0.0.1:8000/
say "the card's settings are the table's"
grep -q 'race-companion begin' /boot/firmware/config.txt
say "config.txt has the lines of the seats' layout"
[ "$(stat -c %a /etc/NetworkManager/system-connections/race-companion.nmconnection)" = 600 ]
# What NetworkManager does with the profile: an address that phones reach, so not one of the loopback.
ip link add wlan0 type veth peer name phone
ip link set wlan0 up && ip link set phone up
ip address add 10.42.0.1/24 dev wlan0
companion hotspot show | grep -q "^network Race companion, password"
pin=$(companion pin --data /var/lib/companion)
shows() {
    told=$(curl -fsS -H "Authorization: Bearer $pin" http://127.0.0.1:8000/api/join)
    echo "$told" | grep -q '"name": *"Race companion"' && echo "$told" | grep -q 'http://10.42.0.1:8000/'
}
until_so companion-portal shows  # addresses are looked at every few seconds
say "page and television show the network and the code"
asked=$(curl -fsS -o /dev/null -w '%{redirect_url}' -H 'Host: connectivitycheck.gstatic.com' \
    http://10.42.0.1/generate_204)
echo "$asked" | grep -q '^http://10.42.0.1:8000/join'
say "a phone's question at port 80 leads to the table"
mkdir -p /run/companion-television
/usr/lib/race-companion/television-page
grep -q "/tv#pin=$pin" /run/companion-television/start.html
[ "$(stat -c '%U %a' /run/companion-television/start.html)" = "companion-television 600" ]
[ "$(systemctl is-failed companion-television)" != failed ]  # no television is connected: it waits
if journalctl --no-pager | grep -q "$pin"; then exit 1; fi
say "the television begins with the PIN, and the log has none"
# Settings from the page: what it has kept comes onto the card, and the table opens with it.
told='{"settings": {"wired": {"layout": "pair", "pin_factory": "lgpio"}, "announcer": {"language": "fr"}, "wifi": {"country": "FR"}}}'
ask() {
    curl -sS --fail-with-body -H "Authorization: Bearer $pin" -H 'Content-Type: application/json' \
        -d "$1" http://127.0.0.1:8000/api/machine
}
ask "$told" >&2
# What it keeps of them it writes when the table has been closed and opened with them.
until_so companion-settings grep -q announcer /var/lib/companion-first-start/companion.toml
grep -q announcer /boot/firmware/companion.toml
curl -fsS -o /dev/null http://127.0.0.1:8000/
say "settings of the page are on the card, and the table's"
# The page's own button: root's helpers, with no more of root than they say.
before=$(dpkg-query -W -f '${Version}' race-companion)
ask '{"power": "update"}' >&2
is_newer() { [ "$(dpkg-query -W -f '${Version}' race-companion)" = "$before+next" ]; }
until_so companion-update is_newer
came_up() { journalctl --no-pager -u companion-came-up | grep -q "companion update: the table is open"; }
until_so companion-came-up came_up
curl -fsS -o /dev/null http://127.0.0.1:8000/
until_so companion-update grep -qs "+next is installed" /run/companion-update/said
say "an update from a signed folder is installed, and the table is open again"
say "all of it"
