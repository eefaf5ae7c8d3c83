#!/bin/sh
# The commands of docs/build.md in a clean root of a Debian: `sh tests/guide/stage.sh trixie`. As root.
# What only Raspberry Pi OS or a Pi has is left out: python3-lgpio, the firmware's config.txt, the
# reboot. Status 77: it could not start here.
set -eu
suite=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work="$root/build/guide"
clean="$work/$suite"

cannot() { echo "test-guide cannot start: $1" >&2; exit 77; }
[ "$(id -u)" = 0 ] || cannot "it makes a root of its own: run it as root"
command -v debootstrap > /dev/null || apt-get install -y -qq debootstrap > /dev/null 2>&1 \
    || cannot "it needs debootstrap"
rm -rf "$clean"; mkdir -p "$work"
debootstrap --variant=minbase "$suite" "$clean" > "$work/$suite.log" 2>&1 || cannot "see $work/$suite.log"
trap 'rm -rf "$clean"' EXIT

# A copy of the repository, and how this machine reaches pip's index.
mkdir -p "$clean/copy"
(cd "$root" && git ls-files -z | tar -c --null -T - 2> /dev/null) | tar -x -C "$clean/copy"
for file in /etc/pip.conf /etc/resolv.conf; do [ ! -e "$file" ] || cp -L "$file" "$clean$file"; done
env | grep -i '^pip_\|_proxy=\|^ssl_cert_file=' > "$clean/copy/.env" || true
local=usr/local/share/ca-certificates
[ -z "${PIP_CERT:-}" ] || { mkdir -p "$clean/$local"; cp -L "$PIP_CERT" "$clean/$local/host.crt"; }

# The block behind "On the Pi", as it stands in the guide.
awk '/^On the Pi, with/ { on = 1; next } on && /^    / { print substr($0, 5); seen = 1; next } seen && !/^$/ { exit }' \
    "$root/docs/build.md" > "$clean/copy/.guide"
grep -q usermod "$clean/copy/.guide" || { echo "the guide's commands are not where they were"; exit 1; }
sed -i 's/ python3-lgpio//; s/sudo //g; /config.txt/d; /^reboot/d; s/^apt install/apt-get -qq -y install/' "$clean/copy/.guide"
chroot "$clean" sh -eu -c '
    cd /copy; set -a; . ./.env; set +a; export USER=root PATH=/usr/local/bin:$PATH
    export DEBIAN_FRONTEND=noninteractive
    mkdir -p /etc/udev/rules.d /etc/modules-load.d; apt-get -qq update
    apt-get -qq -y install ca-certificates > /dev/null 2>&1
    set -x; . ./.guide; set +x
    cd /tmp; companion track list > /dev/null; companion pod --help > /dev/null
    companion doctor --seats "1 wired" || [ $? = 1 ]
    id -nG root | tr " " "\n" | grep -qx gpio
    /opt/companion/bin/python -c "import gpiozero, luma.oled, smbus2, serial"
' && echo "the guide's commands work on $suite"
