#!/bin/sh
# The stick for backups, seen from inside the emulated machine: what it says on the console moves the
# sticks from outside (`booted.py`).
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
until_so "the page answers" open
for one in whole parted exfat other; do try $one || true; done
until_so "the page answers still" open
journalctl --no-pager -b -u companion | grep -i stick > /dev/ttyS0 || true
[ -n "$(ls -A $stick)" ] || say "nothing was written beside it"
say "over"
