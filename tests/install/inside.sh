# What stage.sh does in the clean root.
set -a; . /tmp/env; set +a
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin
say() { echo "  $*"; }
files() { find / -xdev -path /proc -prune -o -path /sys -prune -o -path /tmp -prune -o \
    \( -path '*race-companion*' -o -name '*companion*' \) -print | sort; }

apt-get -qq update
apt-get -qq -y --no-install-recommends install python3-gevent python3-markupsafe systemd \
    curl udev procps man-db > /dev/null 2>&1
files > /tmp/before

apt-get -qq -y --no-install-recommends install /tmp/old.deb > /dev/null 2>&1
say "installed: $(dpkg-query -W -f '${Version}, ${Installed-Size} kB' race-companion)"
getent group gpio i2c spi dialout > /dev/null
test -L /etc/systemd/system/multi-user.target.wants/companion.service
test ! -e /etc/systemd/system/multi-user.target.wants/companion-club.service
systemd-analyze verify /usr/lib/systemd/system/companion.service \
    /usr/lib/systemd/system/companion-club.service
bash -n /usr/share/bash-completion/completions/companion
cd /; companion --help > /dev/null; companion track list | grep -q monaco
companion doctor --json --data /tmp/nothing > /tmp/doctor || [ $? = 1 ]
grep -q '"configuration"' /tmp/doctor

# What the doctor says is missing, its own words bring.
mkdir /tmp/lacking; printf '[seats]\n1 = "keys"\n[light]\n' > /tmp/lacking/companion.toml
missing() {
    companion doctor --json --data /tmp/lacking > /tmp/doctor || [ $? = 1 ]
    python3 -c 'import json
for one in json.load(open("/tmp/doctor"))["findings"]:
    if "missing: " in one["says"]: print(one["mend"])'
}
missing > /tmp/mends; [ -s /tmp/mends ]
sed 's/^sudo apt install/apt-get -qq -y --no-install-recommends install/' /tmp/mends | sh -eu > /dev/null 2>&1
[ -z "$(missing)" ]
say "carried out: $(tr '\n' ';' < /tmp/mends)"
python3 -I -c 'import sys; sys.path.insert(0, "/usr/share/race-companion")
import gpiozero, smbus2, serial, segno'
echo '{"game": "formula-d", "track": "monaco", "laps": 2, "grid": [1], "start": "normal",
  "seats": [{"seat": 1, "name": "Ana"}]}' > /tmp/header.json

# A table as the service opens it, under a user that may not write where the program is.
mkdir -m 700 /tmp/races; chown nobody /tmp/races; chmod 755 /tmp; chmod 644 /tmp/header.json
table() {
    setpriv --reuid=nobody --clear-groups companion race --data /tmp/races --host 127.0.0.1 \
        --port 8137 --json "$@" > /tmp/told 2> /tmp/trouble &
    table=$!
    for _ in $(seq 100); do [ -s /tmp/told ] && break; sleep 0.2; done
    [ -s /tmp/told ] || { cat /tmp/trouble; kill "$table"; exit 1; }
    curl -fsS -o /tmp/page http://127.0.0.1:8137/; grep -q "<html" /tmp/page
    curl -fsS -o /tmp/state http://127.0.0.1:8137/api/table; grep -q version /tmp/state
    curl -fsS http://127.0.0.1:8137/league > /dev/null
}
table --new /tmp/header.json
say "the page answers"
find /usr/share/race-companion -name __pycache__ | grep -q companion
kill "$table"; wait "$table" || true

apt-get -qq -y --no-install-recommends install dpkg-repack > /dev/null 2>&1
mkdir -p /var/lib/companion
apt-get -qq -y install /tmp/new.deb > /dev/null 2>&1
store=/var/cache/race-companion
for version in "$(dpkg-deb -f /tmp/old.deb Version)" "$(dpkg-deb -f /tmp/new.deb Version)"; do
    dpkg-deb -I "$store/race-companion_${version}_all.deb" > /dev/null
done
say "both packages are kept"
say "upgraded: $(dpkg-query -W -f '${Version}' race-companion)"
table
grep -q '"seat": 1' /tmp/told
say "the race goes on"
kill "$table"; wait "$table" || true

# An update after which the table does not come up: systemctl is a stand-in, apt and dpkg are real.
old=$(dpkg-deb -f /tmp/old.deb Version); mkdir -p /tmp/stub
cat > /tmp/stub/systemctl << 'STUB'
#!/bin/sh
case "$*" in
"is-enabled"*) exit 0 ;;
"is-active"*) dpkg-query -W -f '${Version}' race-companion | grep -q next && exit 3; exit 0 ;;
"show"*) echo 0 ;;
esac
STUB
chmod 755 /tmp/stub/systemctl
back() {
    if PATH=/tmp/stub:$PATH COMPANION_STEP_S=0 /usr/lib/race-companion/came-up > /tmp/back 2>&1
    then echo "a table that does not come up was called well"; exit 1; fi
    grep -q "open again, by $old" /tmp/back || { cat /tmp/back; exit 1; }
    [ "$(dpkg-query -W -f '${Version}${db:Status-Abbrev}' race-companion)" = "${old}ii " ]
}
back
say "an update that does not come up is taken back: $old"
apt-get -qq -y install /tmp/new.deb > /dev/null 2>&1
# As dpkg leaves it where the power goes while it exchanges the files.
sed -i '/^Package: race-companion$/,/^Status:/s/^Status: .*/Status: install reinstreq half-installed/' \
    /var/lib/dpkg/status
back
say "so is one whose power went while it was taken back"
table
grep -q '"seat": 1' /tmp/told
say "the race goes on"
kill "$table"; wait "$table" || true

mkdir -p /var/lib/companion; touch /var/lib/companion/races
apt-get -qq -y remove race-companion > /dev/null 2>&1
test ! -e /usr/bin/companion
apt-get -qq -y purge race-companion > /dev/null 2>&1
test -e /var/lib/companion/races; rm -r /var/lib/companion
files > /tmp/after
diff /tmp/before /tmp/after
say "purged: nothing is left but the races"

apt-get -qq -y --no-install-recommends install pipx ca-certificates > /dev/null 2>&1
update-ca-certificates > /dev/null 2>&1
pipx install /tmp/*.whl > /tmp/pipx 2>&1 || { cat /tmp/pipx; exit 1; }
~/.local/bin/companion track list | grep -q monaco
say "pipx installs the wheel"
