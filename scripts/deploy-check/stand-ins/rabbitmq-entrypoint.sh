#!/bin/sh
# As the official image: gives the volume to the user rabbitmq, who runs the server and its tools.
set -eu
if [ "$(id -u)" = 0 ]; then
  chown -R rabbitmq:rabbitmq "$RABBITMQ_DATA_DIR"
  exec setpriv --reuid=rabbitmq --regid=rabbitmq --clear-groups "$0" "$@"
fi
exec "$@"
