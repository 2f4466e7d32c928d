#!/bin/sh
# Starts the RabbitMQ image with the definitions beside this file and passwords from the environment.
set -eu

definitions=$("$(dirname "$0")/definitions.sh")

# in the data folder, which the image gives to the user that runs the server
data=${RABBITMQ_DATA_DIR:-/var/lib/rabbitmq}
umask 077
rm -rf "$data/leadback-definitions.json" "$data/leadback-definitions"
mkdir -p "$data/leadback-definitions"
printf '%s\n' "$definitions" > "$data/leadback-definitions/leadback.json"

# RABBITMQ_CELLS has the names of other cells on this server: the same in a virtual host of each
for cell in ${RABBITMQ_CELLS:-}; do
  case "$cell" in
    *[!a-z0-9-]*) echo "RABBITMQ_CELLS: $cell is not the name of a cell" >&2; exit 1 ;;
  esac
  printf '%s\n' "$definitions" | sed "s/\"leadback\"/\"$cell\"/" > "$data/leadback-definitions/$cell.json"
done

# nodes with the same cookie can form a cluster
if [ -n "${RABBITMQ_COOKIE:-}" ]; then
  cookie="${RABBITMQ_DATA_DIR:-/var/lib/rabbitmq}/.erlang.cookie"
  rm -f "$cookie"
  printf '%s' "$RABBITMQ_COOKIE" > "$cookie"
  chmod 400 "$cookie"
fi

exec docker-entrypoint.sh rabbitmq-server
