#!/bin/sh
# A repository for apt, as files that any web server or folder serves: `repository.sh list FOLDER SECONDS`
# lists the packages that lie there, under that date; `repository.sh sign FOLDER [KEY]` signs the list with
# the secret key in a file, or with one that is thrown away, and prints the public one as companion.toml
# takes it.
set -eu
cd "$2"

list() {
    for package in *.deb; do
        [ ! -e "$package" ] || {
            dpkg-deb --field "$package"
            printf 'Filename: %s\nSize: %s\nSHA256: %s\n\n' "$package" "$(stat -c %s "$package")" "$(sum "$package")"
        }
    done > Packages
    cat > Release << RELEASE
Origin: race-companion
Label: race-companion
Date: $(LC_ALL=C date -u -d "@$1" '+%a, %d %b %Y %H:%M:%S UTC')
Architectures: all
SHA256:
 $(sum Packages) $(stat -c %s Packages) Packages
RELEASE
}

sum() { sha256sum "$1" | cut -d ' ' -f 1; }

sign() {
    home=$(mktemp -d)
    trap 'gpgconf --homedir "$home" --kill all; rm -rf "$home"' EXIT
    own() { gpg --homedir "$home" --batch --quiet --yes --pinentry-mode loopback --passphrase '' "$@"; }
    if [ -n "$1" ]; then
        own --import "$1"
    else
        own --quick-generate-key 'race-companion, thrown away' ed25519 sign 0
    fi 2> "$home/said" || { cat "$home/said" >&2; exit 1; }
    own --digest-algo SHA512 --output InRelease --clearsign Release
    own --export-options export-minimal --output race-companion.gpg --export
    base64 -w 0 race-companion.gpg
}

"$1" "${3:-}"
