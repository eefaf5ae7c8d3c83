#!/bin/sh
# What the firmware uses of the RP2040 with 2 MB of flash. The bound on the stack: all functions
# together, since none calls itself, and two interrupts of 32 bytes each. Fails where it is too much.
set -eu
out=$1
set -- $(arm-none-eabi-size "$out/pico.elf" | tail -1)
stack=$(cat "$out"/*.su | awk -F '\t' '$3 != "static" { exit 1 } { sum += $2 } END { print sum + 64 }')
flash=$(($1 + $2)) ram=$(($2 + $3))
echo "flash $flash of 2093056, RAM $ram and stack at most $stack of 262144 bytes"
[ "$flash" -le 2093056 ] && [ $((ram + stack)) -le 262144 ]
