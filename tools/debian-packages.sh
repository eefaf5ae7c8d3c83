#!/bin/sh
# Installs the Debian packages that are named and missing: as root, or with sudo.
# Without either it says what is missing and goes on; the tests that need it are skipped.
set -u
missing=""
for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null 2>&1; then
    echo "missing (this is not Debian; install them by its own means):$missing" >&2
    exit 0
fi
if [ "$(id -u)" = 0 ]; then
    become=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    become="sudo"
else
    echo "missing, and neither root nor sudo to install them:$missing" >&2
    exit 0
fi
# shellcheck disable=SC2086 # words are meant to split
$become apt-get update -qq && $become apt-get install -y -qq --no-install-recommends $missing \
    || echo "could not be installed:$missing" >&2
exit 0
