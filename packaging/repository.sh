#!/bin/sh
# A repository for apt, as files that any web server or folder serves: `repository.sh list FOLDER SECONDS
# PACKAGE…` makes it of these, under that date; `repository.sh sign FOLDER [KEY]` signs it with the secret
# key in a file, or with one that is thrown away, and prints the public one as companion.toml takes it.
set -eu

list() {
    mkdir -p "$folder"
    date=$1; shift
    for package in "$@"; do
        cp "$package" "$folder"
        dpkg-deb --field "$package"
        printf 'Filename: %s\nSize: %s\nSHA256: %s\n\n' "${package##*/}" "$(stat -c %s "$package")" "$(sum "$package")"
    done > "$folder/Packages"
    cd "$folder"
    cat > Release << RELEASE
Origin: race-companion
Label: race-companion
Date: $(LC_ALL=C date -u -d "@$date" '+%a, %d %b %Y %H:%M:%S UTC')
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
    if [ -n "${1:-}" ]; then
        own --import "$1"
    else
        own --quick-generate-key 'race-companion, thrown away' ed25519 sign 0
    fi 2> "$home/said" || { cat "$home/said" >&2; exit 1; }
    cd "$folder"
    own --digest-algo SHA512 --output InRelease --clearsign Release
    own --export-options export-minimal --output race-companion.gpg --export
    base64 -w 0 race-companion.gpg
}

verb=$1 folder=$2
shift 2
"$verb" "$@"
