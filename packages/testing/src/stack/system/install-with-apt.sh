#!/bin/sh
# install-with-apt.sh PACKAGE…: run as root; does not start services of the packages.
set -e
export DEBIAN_FRONTEND=noninteractive

# one at a time: apt-get update does not wait for another
exec 9< /var/lib/apt
flock 9

# Debian runs this file to decide whether an installed service may start; an existing one belongs to the machine.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' INT TERM HUP
  printf '#!/bin/sh\nexit 101\n' > "$policy"
  chmod +x "$policy"
fi

install() {
  apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}

# the package lists may be missing or outdated
install "$@" || { apt-get update && install "$@"; }
