#!/bin/sh
# Real GPIO lines and input devices under a real kernel: `make test-kernel`. As root on Debian 12, amd64.
# Fetches Debian's kernel and the source of its GPIO simulator (some 220 MB, once), builds that,
# and boots it in QEMU with this machine's files to read. Status 77: it could not start here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work="$root/build/kernel"
python=${1:-$root/.venv/bin/python}

cannot() { echo "test-kernel cannot start: $1" >&2; exit 77; }
[ "$(id -u)" = 0 ] || cannot "it installs Debian packages: run it as root"
[ "$(uname -m)" = x86_64 ] || cannot "it emulates an amd64 machine only"
command -v apt-get > /dev/null || cannot "it takes the kernel from Debian's packages"
mkdir -p "$work"; cd "$work"
version=$(apt-cache depends linux-headers-amd64 | sed -n 's/.*Depends: linux-headers-//p' | head -1)
[ -n "$version" ] || cannot "apt knows no linux-headers-amd64: apt-get update"
apt-get install -y -qq --no-install-recommends qemu-system-x86 busybox-static kmod cpio \
    "linux-headers-$version" gcc make xz-utils > apt.log 2>&1 || cannot "see $work/apt.log"
for library in lgpio evdev; do
    "$python" -c "import $library" 2> /dev/null \
        || "$python" -m pip install --quiet --disable-pip-version-check $library > pip.log 2>&1 \
        || cannot "it needs the library $library, and pip cannot fetch it: see $work/pip.log"
done
base=${version%%-*}; series=${base%.*}
[ -d "kernel-$version" ] || {
    apt-get -o APT::Sandbox::User=root download -qq "linux-image-$version" "linux-source-$series" > /dev/null || cannot "no network"
    dpkg-deb -x linux-image-"$version"_*.deb "kernel-$version.part"
    dpkg-deb --fsys-tarfile linux-source-"$series"_*.deb \
        | tar -xO "./usr/src/linux-source-$series.tar.xz" > source.tar.xz
    mv "kernel-$version.part" "kernel-$version"; rm -f ./*.deb
}

# The simulator, with the interrupts that Debian's kernel leaves out. In a module of its own it
# may not look up a descriptor itself; the call that it may make does the same.
mkdir -p module
tar -xJf source.tar.xz -C module --strip-components=3 --wildcards \
    '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/kernel/irq/irq_sim.c'
sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' module/irq_sim.c
# The small chip is the expander: like the driver of the MCP23017 it has no call that sets a bias.
sed -i 's/gc->set_config = gpio_sim_set_config;/if (num_lines > 16) &/' module/gpio-sim.c
grep -q 'if (num_lines > 16) gc->set_config' module/gpio-sim.c || cannot "its gpio-sim is another one"
printf 'obj-m := gpio-simulated.o\ngpio-simulated-y := gpio-sim.o irq_sim.o\n' > module/Makefile
make -s -C "/usr/src/linux-headers-$version" M="$work/module" modules > make.log 2>&1 \
    || cannot "the module does not build: see $work/make.log"

# The initial file system: busybox, the modules that are needed, and what to run.
rm -rf initial; mkdir -p initial/bin initial/proc initial/sys initial/dev initial/host
modules="initial/lib/modules/$version"; mkdir -p "$modules"
from="kernel-$version/lib/modules/$version/kernel"
for name in virtio virtio_ring virtio_pci virtio_pci_modern_dev virtio_pci_legacy_dev \
    9p 9pnet 9pnet_virtio netfs fscache configfs uinput evdev; do
    find "$from" -name "$name.ko" -exec cp {} "$modules/" \;
done
cp module/gpio-simulated.ko "$modules/"
cp "kernel-$version/lib/modules/$version"/modules.builtin* "kernel-$version/lib/modules/$version/modules.order" "$modules/"
depmod -b initial "$version"
cp "$(command -v busybox)" initial/bin/busybox
for name in sh mount mkdir modprobe poweroff chroot; do ln -s busybox "initial/bin/$name"; done
cp "$here/init" initial/init; chmod +x initial/init
echo "$python $here $root:$root/web:$root/plugins/keys:$root/plugins/wired" > initial/words
(cd initial && find . | cpio -o -H newc --quiet) | gzip -1 > initial.gz

timeout 300 qemu-system-x86_64 -cpu max -m 768 -display none -no-reboot -serial stdio -monitor none \
    -kernel "kernel-$version/boot/vmlinuz-$version" -initrd initial.gz \
    -append "console=ttyS0 quiet loglevel=3 panic=-1" \
    -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
    < /dev/null | tee boot.log
grep -q '^status 0' boot.log
