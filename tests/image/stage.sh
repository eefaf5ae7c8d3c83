#!/bin/sh
# The root of the image, booted: `sh tests/image/stage.sh`. As root. A root of Debian 13 for this
# machine gets the packages and the hooks of hardware/image/layer; its units are verified, then it
# is booted in a container: for updates that break or lose their power, and up to the page, with a
# stand-in for the radio. Then QEMU boots it with a kernel of Debian's: a phone joins its network by a
# simulated radio, and sticks are plugged in. Only a Pi can show what is left out: its kernel, firmware
# and radio, python3-lgpio (which Debian has not), a picture on a television. Status 77: it could not start here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work="$top/build/image"
root="$work/root"
layer="$top/hardware/image/layer/race-companion.yaml"
python=${PYTHON:-$top/.venv/bin/python}

cannot() { echo "test-image cannot start: $1" >&2; exit 77; }
[ "$(id -u)" = 0 ] || cannot "it makes a root of its own: run it as root"
for program in debootstrap systemd-nspawn qemu-storage-daemon qemu-system-x86_64; do
    command -v $program > /dev/null || cannot "it needs $program"
done
rm -rf "$root"; mkdir -p "$work" "$top/hardware/image/package"
trap 'rm -rf "$root" "$work/plain" "$work/updates" "$work/emulated"' EXIT
cp "$top"/dist/race-companion_*_all.deb "$top/hardware/image/package/"

packages=$("$python" "$here/layer.py" "$layer" packages | grep -vx 'python3-lgpio')
debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,udev trixie "$root" > "$work/log" 2>&1 \
    || cannot "see $work/log"
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"; chmod 755 "$root/usr/sbin/policy-rc.d"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# shellcheck disable=SC2086
chroot "$root" env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get -qq update && apt-get -qq -y \
    install --no-install-recommends '"$(echo $packages curl iproute2)" >> "$work/log" 2>&1 \
    || { tail -20 "$work/log"; exit 1; }
echo "  the layer's packages: $(echo "$packages" | wc -l)"
"$python" "$here/layer.py" "$layer" hooks | (cd "$top/hardware/image" && sh -eu -s "$root") >> "$work/log" 2>&1 \
    || { tail -20 "$work/log"; exit 1; }
echo "  its hooks have run"
# What only those need who look at it, beside the kernel that a Pi has of its own.
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends \
    linux-image-amd64 initramfs-tools busybox zstd dosfstools exfatprogs curl iproute2 iw >> "$work/log" 2>&1
rm "$root/usr/sbin/policy-rc.d"

for unit in "$root"/etc/systemd/system/companion-*.service; do
    chroot "$root" systemd-analyze verify --man=no "/etc/systemd/system/${unit##*/}"
done
echo "  its units are sound"

package=$(ls -t "$top"/dist/race-companion_*_all.deb | head -1)
"$python" "$here/booted.py" updates "$root" "$work/updates" "$package"
rm -rf "$work/updates"

cp -a "$root" "$work/plain"

# A card with settings on it, a radio that NetworkManager knows, and who looks at all that.
mkdir -p "$root/boot/firmware"
printf '[wired]\nlayout = "pair"\n[page]\nhosts = ["table.example"]\n' > "$root/boot/firmware/companion.toml"
echo 'arm_64bit=1' > "$root/boot/firmware/config.txt"
install -m 755 "$here/nmcli" "$root/usr/local/bin/nmcli"
printf '[keyfile]\nunmanaged-devices=*\n' > "$root/etc/NetworkManager/conf.d/stage.conf"  # addresses stay
# A newer package out of a signed source, which the card names: a folder serves as well as a server.
rm -rf "$work/next" "$root/etc/apt/sources.list.d"; : > "$root/etc/apt/sources.list"
dpkg-deb -R "$package" "$work/next"
sed -i 's/^Version: .*/&+next/' "$work/next/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -b "$work/next" "$work/next.deb" > /dev/null
rm -r "$work/next"
sh "$top/packaging/repository.sh" list "$root/srv/next" 0 "$work/next.deb"
key=$(sh "$top/packaging/repository.sh" sign "$root/srv/next")
settings="$root/boot/firmware/companion.toml"
printf 'update = {source = "file:/srv/next", key = "%s"}\n%s\n' "$key" "$(cat "$settings")" > "$settings.new"
mv "$settings.new" "$settings"
install -m 755 "$here/inside.sh" "$root/usr/local/bin/look"
cat > "$root/etc/systemd/system/look.service" << 'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'sh -x /usr/local/bin/look 2> /trace; systemctl --no-block poweroff'
StandardOutput=truncate:/look
UNIT
mkdir -p "$root/etc/systemd/system/multi-user.target.d"
ln -sf /etc/systemd/system/look.service "$root/etc/systemd/system/multi-user.target.wants/look.service"
boot() {
    timeout 3600 systemd-nspawn --quiet --directory="$root" --boot --register=no --keep-unit \
        --private-network --console=pipe < /dev/null > "$work/console" 2>&1
}
again=133  # nspawn's word for a restart, which the new lines of config.txt ask for
boot && status=0 || status=$?
[ "$status" != $again ] || { echo "  the first start restarts it, as a Pi has to"; boot || true; }
[ -e "$root/look" ] || { tail -40 "$work/console" >&2; cannot "no container boots here, see $work/console"; }
cat "$root/look"
grep -q '^  all of it' "$root/look" || { tail -8 "$root/trace" | cut -c -300; tail -20 "$work/console"; exit 1; }
echo "the image boots to the table's page"
"$python" "$here/booted.py" emulated "$work/plain" "$work/emulated"
