#!/bin/sh
# A root of Debian 13 with KiCad 9 and its libraries: `sh tools/boards-root.sh FOLDER`. As root; some
# minutes and 1.5 GB, once. Status 77: it could not be made here.
set -eu
root=$1
cannot() { echo "boards: no KiCad: $1; install KiCad 9 (kicad-cli, its libraries, python3's pcbnew) or run this as root" >&2; exit 77; }
[ ! -e "$root/ready" ] || exit 0
[ "$(id -u)" = 0 ] || cannot "a root of its own can only be made by root"
command -v debootstrap > /dev/null || apt-get install -y -qq debootstrap > /dev/null 2>&1 \
    || cannot "debootstrap is missing"
rm -rf "$root"; mkdir -p "$root"
debootstrap --variant=minbase trixie "$root" > "$root.log" 2>&1 || cannot "debootstrap failed, see $root.log"
[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
chroot "$root" sh -eu -c '
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update
    apt-get -qq -y install --no-install-recommends kicad kicad-symbols kicad-footprints
    apt-get clean' >> "$root.log" 2>&1 || cannot "Debian did not give it, see $root.log"
touch "$root/ready"
