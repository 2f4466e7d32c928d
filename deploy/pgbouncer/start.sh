#!/bin/sh
# Starts PgBouncer with the file beside this one and the passwords of the apps' roles from the environment.
set -eu
umask 077
: > /tmp/userlist.txt
for app in LANDING API FEEDBACK_WORKER CONSOLE; do
  value=$(printenv "LEADBACK_${app}_PASSWORD" || true)
  if [ -z "$value" ]; then echo "LEADBACK_${app}_PASSWORD is not set" >&2; exit 1; fi
  printf '"leadback_%s" "%s"\n' "$(echo "$app" | tr '[:upper:]' '[:lower:]')" "$value" >> /tmp/userlist.txt
done
exec pgbouncer "$(dirname "$0")/pgbouncer.ini"
