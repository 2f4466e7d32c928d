#!/bin/sh
# make-root.sh SUITE FOLDER MIRROR: a small Debian, without documentation and package lists as the official slim images. Its
# certificate authorities are those of this machine.
set -eu
suite=$1 folder=$2 mirror=$3
rm -rf "$folder"
# --no-check-gpg would save nothing: the keyring of the machine has the keys of all suites
debootstrap --variant=minbase --include=ca-certificates "$suite" "$folder" "$mirror" >&2
rm -rf "$folder"/var/lib/apt/lists/* "$folder"/var/cache/apt/* "$folder"/var/log/*
rm -rf "$folder"/usr/share/doc/* "$folder"/usr/share/man/* "$folder"/usr/share/info/* "$folder"/usr/share/locale/*
printf 'path-exclude /usr/share/%s/*\n' doc man info locale > "$folder/etc/dpkg/dpkg.cfg.d/slim"
cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/ca-certificates.crt"
