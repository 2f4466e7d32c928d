#!/bin/sh
# Prints the definitions beside this file with the passwords of the environment.
set -eu

changes=
for name in RABBITMQ_LANDING_PASSWORD RABBITMQ_API_PASSWORD RABBITMQ_FEEDBACK_WORKER_PASSWORD RABBITMQ_OPERATOR_PASSWORD; do
  value=$(printenv "$name" || true)
  case "$value" in
    '') echo "$name is not set" >&2; exit 1 ;;
    *[!A-Za-z0-9._~-]*) echo "$name has a character that would need escaping in a URL" >&2; exit 1 ;;
  esac
  changes="$changes
s/[$]{$name}/$value/"
done

# not as an argument: other users of the machine can read those
printf '%s\n' "$changes" | sed -f /dev/stdin "$(dirname "$0")/definitions.json"
