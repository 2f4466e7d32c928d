#!/bin/sh
# Starts the RabbitMQ image with the definitions beside this file and passwords from the environment.
set -eu

definitions=$(cat "$(dirname "$0")/definitions.json")
for name in RABBITMQ_LANDING_PASSWORD RABBITMQ_API_PASSWORD RABBITMQ_FEEDBACK_WORKER_PASSWORD RABBITMQ_OPERATOR_PASSWORD; do
  value=$(printenv "$name" || true)
  case "$value" in
    '') echo "$name is not set" >&2; exit 1 ;;
    *[!A-Za-z0-9._~-]*) echo "$name has a character that would need escaping in a URL" >&2; exit 1 ;;
  esac
  definitions=$(printf '%s\n' "$definitions" | sed "s/[$]{$name}/$value/")
done

# in the data folder, which the image gives to the user that runs the server
umask 077
printf '%s\n' "$definitions" > "${RABBITMQ_DATA_DIR:-/var/lib/rabbitmq}/leadback-definitions.json"

exec docker-entrypoint.sh rabbitmq-server
