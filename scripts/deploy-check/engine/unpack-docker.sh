#!/bin/sh
# unpack-docker.sh FOLDER MIRROR: unpacks Docker Engine and Docker Compose of Debian 13 into FOLDER, with apt's signatures
# checked. They are not installed: the machine keeps what it has.
set -eu
folder=$1 mirror=$2
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/sources"
printf 'Types: deb\nURIs: %s\nSuites: trixie\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' \
  "$mirror" > "$folder/apt/sources/trixie.sources"
apt() {
  apt-get -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/sources" -o APT::Sandbox::User=root \
    -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" -o Dir::Etc::preferencesparts=/dev/null "$@"
}
apt update
cd "$folder/apt"
apt download docker.io docker-cli docker-buildx docker-compose containerd tini
for package in *.deb; do dpkg-deb --extract "$package" "$folder/root.new"; done
mv "$folder/root.new" "$folder/root"
rm -rf "$folder/apt"
