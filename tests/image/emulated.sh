#!/bin/sh
# The table's own network and the stick for backups, seen from inside the emulated machine: what it
# says on the console moves the sticks from outside (`booted.py`).
set -eu
trap 'systemctl --no-block poweroff' EXIT
stick=/media/usb
say() { echo "seen: $*" > /dev/ttyS0; }
until_so() {  # WHAT COMMAND…
    what=$1; shift
    for _ in $(seq 300); do ! "$@" || { say "$what, $(cut -d . -f 1 /proc/uptime) s"; return 0; }; sleep 1; done
    say "NOT $what"
    journalctl --no-pager -n 60 > /dev/ttyS0 2>&1
    return 1
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

# A phone is the second of two simulated radios, in a network of its own.
phone() { ip netns exec phone "$@"; }
is_open() { companion hotspot show 2> /dev/null | grep -q "^network Race companion, password"; }
is_joined() { phone iw dev wlan1 link | grep -q "^Connected"; }
has_address() { phone busybox udhcpc -n -q -i wlan1 -s /run/leased > /dev/null 2>&1; }
is_led() {
    phone curl -fsS -o /dev/null -w '%{redirect_url}' http://connectivitycheck.gstatic.com/generate_204 \
        | grep -q '/join'
}
join() {
    until_so "the table's own network is open" is_open || return
    ip netns add phone
    iw phy "$(cat /sys/class/net/wlan1/phy80211/name)" set netns name phone
    wpa_passphrase "Race companion" \
        "$(companion hotspot show | sed -n 's/^network Race companion, password \([^:]*\):.*/\1/p')" > /run/phone
    phone wpa_supplicant -B -i wlan1 -c /run/phone > /dev/null
    mkdir -p /etc/netns/phone
    cat > /run/leased << 'LEASED'
#!/bin/sh
[ "$1" = bound ] || exit 0
ip address replace "$ip/$mask" dev "$interface"
ip route replace default via "$router"
echo "nameserver ${dns%% *}" > /etc/netns/phone/resolv.conf
LEASED
    chmod 755 /run/leased
    until_so "a phone has joined it" is_joined && until_so "the phone has an address" has_address \
        && until_so "what the phone asks leads to the table" is_led
}
until_so "the page answers" open
join || true
for one in whole parted exfat other; do try $one || true; done
until_so "the page answers still" open
journalctl --no-pager -b -u companion | grep -i stick > /dev/ttyS0 || true
[ -n "$(ls -A $stick)" ] || say "nothing was written beside it"
say "over"
