#!/bin/sh
# The table's own network and the stick for backups, seen from inside the emulated machine: what it
# says on the console moves the sticks from outside (`booted.py`).
set -eu
trap 'systemctl --no-block poweroff' EXIT
stick=/media/usb
say() { echo "seen: $*" > /dev/ttyS0; }
clock() { cut -d . -f 1 /proc/uptime; }
until_so() {  # WHAT COMMAND…
    what=$1; shift
    latest=$(($(clock) + 900))
    until "$@"; do
        [ "$(clock)" -lt $latest ] || {
            say "NOT $what"
            journalctl --no-pager -n 300 > /dev/ttyS0 2>&1
            return 1
        }
        sleep 1
    done
    say "$what, $(clock) s"
}
backups() { ls "$stick"/companion/*.tar* > /dev/null 2>&1; }
open() { curl -fsS -o /tmp/page http://127.0.0.1:8000/; }
away() { ! mountpoint -q "$stick"; }
try() {  # NAME: the stick is to come, to have a backup, and to go
    say "plug $1"
    until_so "$1 is mounted" mountpoint -q "$stick" || return
    say "$1: $(findmnt -n -o FSTYPE,OPTIONS "$stick"), $(stat -c %U "$stick/companion" 2> /dev/null)"
    if [ "$1" = other ]; then
        sleep 10; ! backups || say "NOT: other has a backup"
    else
        until_so "$1 has a backup" backups || return
    fi
    say "pull $1"
    until_so "$1 is away" away
}
make() {  # DEVICE NAME
    case "$2" in
    exfat) mkfs.exfat "$1" ;;
    *) mkfs.vfat "$1" ;;
    esac
    mount "$1" /mnt
    [ "$2" = other ] || mkdir /mnt/companion
    umount /mnt
    sync
} > /dev/ttyS0 2>&1
modprobe -a vfat exfat
make /dev/vdb whole; make /dev/vdc1 parted; make /dev/vdd exfat; make /dev/vde other

# A phone is the second of two simulated radios, in a network of its own from before NetworkManager on.
phone() { ip netns exec phone "$@"; }
is_open() { ip -4 address | grep -q 'inet 10.42.0.1/'; }
is_shut() { ! is_open; }
is_joined() { phone iw dev wlan1 link | grep -q "^Connected"; }
has_address() {
    phone busybox udhcpc -n -q -i wlan1 -s /usr/local/bin/leased > /dev/null 2>&1
    phone ip -4 address show dev wlan1 | grep -q 'inet 10.42.0.'
}
is_led() {  # by the name that a phone asks for, to the page that it offers to open
    phone curl -fsSL -m 120 -o /tmp/page -w '%{url_effective}' http://connectivitycheck.gstatic.com/generate_204 \
        | grep -q '^http://10.42.0.1:8000/join' && grep -q '<html' /tmp/page
}
join() {
    until_so "the table's own network is open" is_open || return
    wpa_passphrase "Race companion" \
        "$(companion hotspot show | sed -n 's/^network Race companion, password \([^:]*\):.*/\1/p')" > /run/phone
    mkdir -p /etc/netns/phone
    # Not in /run: nothing there may be run.
    cat > /usr/local/bin/leased << 'LEASED'
#!/bin/sh
[ "$1" = bound ] || exit 0
ip address replace "$ip/$mask" dev "$interface"
ip route replace default via "$router"
echo "nameserver ${dns%% *}" > /etc/netns/phone/resolv.conf
LEASED
    chmod 755 /usr/local/bin/leased
    phone wpa_supplicant -B -i wlan1 -c /run/phone > /dev/null
    until_so "a phone has joined it" is_joined && until_so "the phone has an address" has_address \
        && until_so "what the phone asks leads to the table" is_led || return
    began=$(systemctl show -p ExecMainStartTimestampMonotonic --value companion-first-start)
    say "that is $(($(clock) - began / 1000000)) s after the first start began to open it"
    # What a start does that knows no network, without another start.
    nmcli networking off; until_so "without networks it is shut" is_shut || return
    nmcli networking on; until_so "it opens by itself" is_open || return
    until_so "the phone has joined it again, and is led" is_led
}
until_so "the page answers" open
join || true
for one in whole parted exfat other; do try $one || true; done
until_so "the page answers still" open
journalctl --no-pager -b -u companion | grep -i stick > /dev/ttyS0 || true
[ -n "$(ls -A $stick)" ] || say "nothing was written beside it"
say "over"
