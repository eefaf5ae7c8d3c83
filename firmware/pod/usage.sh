#!/bin/sh
# What the firmware uses of the ATmega328P, and a bound on its stack. Fails when it is too much.
# The bound: no function calls itself, so no chain of calls is longer than all functions
# together. To the compiler's figures (return addresses included) come $library bytes for what
# avr-libc brings in assembler.
set -eu
out=$1
flash_size=30720 # the boot loader has the rest
ram_size=2048
library=16
set -- $(avr-size -A "$out/pod.elf" | awk '
    $1 == ".text" || $1 == ".data" { flash += $2 }
    $1 == ".data" || $1 == ".bss" || $1 == ".noinit" { ram += $2 }
    END { print flash, ram }')
flash=$1
ram=$2
stack=$(cat "$out"/pod.elf.ltrans*.su | awk -F '\t' -v library=$library '
    $3 != "static" { print "a stack frame that varies: " $1 > "/dev/stderr"; varies = 1 }
    { sum += $2 }
    END { if (varies || !sum) exit 1; print sum + library }')
echo "flash $flash of $flash_size, RAM $ram and stack at most $stack of $ram_size bytes"
[ "$flash" -le "$flash_size" ] && [ $((ram + stack)) -le "$ram_size" ]
