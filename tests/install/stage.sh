#!/bin/sh
# The package in a clean root of a Debian: `sh tests/install/stage.sh trixie`. As root. It is installed,
# used, installed again over itself as a newer version, removed and purged; what it leaves behind is
# counted. Then the wheel by pipx. There is no systemd running in there: the units are verified, not
# started. Status 77: it could not start here.
set -eu
suite=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work="$root/build/install"
clean="$work/$suite"

cannot() { echo "test-install cannot start: $1" >&2; exit 77; }
[ "$(id -u)" = 0 ] || cannot "it makes a root of its own: run it as root"
command -v debootstrap > /dev/null || cannot "it needs debootstrap"
! mountpoint -q "$clean/proc" || umount "$clean/proc"
rm -rf "$clean"; mkdir -p "$work"
debootstrap --variant=minbase "$suite" "$clean" > "$work/$suite.log" 2>&1 || cannot "see $work/$suite.log"
mount -t proc proc "$clean/proc" || cannot "it cannot mount /proc there"
trap 'umount "$clean/proc"; rm -rf "$clean"' EXIT
cp "$root"/dist/race-companion_*_all.deb "$clean/tmp/old.deb"
cp "$(ls -t "$root"/build/wheel/*.whl | head -1)" "$clean/tmp/"
cp "$here/inside.sh" "$clean/tmp/"

# The same package with a higher number, to upgrade to.
dpkg-deb -R "$clean/tmp/old.deb" "$work/$suite-new"
sed -i 's/^Version: .*/&+next/' "$work/$suite-new/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -b "$work/$suite-new" "$clean/tmp/new.deb" > /dev/null
rm -rf "$work/$suite-new"

# How this machine reaches pip's index.
for file in /etc/pip.conf /etc/resolv.conf; do [ ! -e "$file" ] || cp -L "$file" "$clean$file"; done
env | grep -i '^pip_\|_proxy=\|^ssl_cert_file=' > "$clean/tmp/env" || true
local=usr/local/share/ca-certificates
[ -z "${PIP_CERT:-}" ] || { mkdir -p "$clean/$local"; cp -L "$PIP_CERT" "$clean/$local/host.crt"; }
chroot "$clean" sh -eu /tmp/inside.sh && echo "the package works on $suite"
