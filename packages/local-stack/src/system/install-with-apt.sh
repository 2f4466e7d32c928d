#!/bin/sh
# install-with-apt.sh PACKAGE: as root; starts no service that the package brings.
set -e
export DEBIAN_FRONTEND=noninteractive

# one of us at a time: apt-get update does not wait for another
exec 9< /var/lib/apt
flock 9

# Debian asks this file whether an installed service may be started; one that is there already is the machine's own.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' INT TERM HUP
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod +x "$policy"
fi

install() {
  apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$1"
}

# the lists of packages may be missing, or name versions that are no longer there
install "$1" || { apt-get update && install "$1"; }
