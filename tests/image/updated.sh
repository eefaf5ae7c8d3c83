#!/bin/sh
# What an update leaves, seen from inside: `updated.sh update` plays a race and updates, `updated.sh look`
# waits until the machine is done with itself. Either writes into /told how it stands.
set -eu
page=http://127.0.0.1:8000
ask() {
    curl -fsS -H "Authorization: Bearer $(companion pin --data /var/lib/companion)" \
        -H 'Content-Type: application/json' -d "$2" "$page/api/$1"
}
is_busy() { systemctl show -p ActiveState --value "$1" | grep -q activating; }
settled() {  # neither helper works any more, and the page answers; a busy machine may need long for it
    latest=$(($(cut -d . -f 1 /proc/uptime) + 900))
    while is_busy companion-update || is_busy companion-came-up \
        || ! curl -fsS -o /tmp/page "$page/api/table"; do
        [ "$(cut -d . -f 1 /proc/uptime)" -lt $latest ] || break
        sleep 1
    done
}

race() {
    curl -fsS "$page/api/table" | python3 -c 'import json, sys
told = json.load(sys.stdin)
print(json.dumps([told["id"], told["version"], told["state"], told["disk"]]))' || echo "no race"
}

if [ "$1" = update ]; then
    settled
    ask table '{"new": {"game": "formula-d", "track": "monaco", "laps": 2, "grid": [1, 2], "start": "normal",
        "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Ben"}]}}'
    ask seat/1/answer '{"gear": 1}'
    ask seat/1/answer '{"roll": 2}'
    sleep 3  # the second copy is synced once the table is quiet
    race > /before
    sync /before
    systemctl start companion-update || true
    sleep 1
fi
settled
systemctl is-system-running || true
{
    dpkg-query -W -f '${Version}\n${db:Status-Abbrev}\n' race-companion
    systemctl is-active companion || true
    race
    dpkg --audit | tr '\n' ' '
} > /told
{
    journalctl --no-pager -b -u companion -n 20  # of its restarts the last ones say all
    systemctl list-jobs --no-pager
    journalctl --no-pager -b -u companion-update -u companion-came-up
} > /log
