#!/bin/sh
# Prints new secrets and the size of PostgreSQL's buffers for docker-compose.yml: sh deploy/compose/new-env.sh > .env
# Keep that file: data encrypted with SECRETS_KEY can be decrypted only with that key.
set -eu
# the shell that has redirected the output created the file
if [ -f /dev/stdout ]; then chmod 600 /dev/stdout; fi
password() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
echo "SECRETS_KEY=$(head -c 32 /dev/urandom | base64)"
for name in POSTGRES LEADBACK_OWNER LEADBACK_LANDING LEADBACK_API LEADBACK_FEEDBACK_WORKER LEADBACK_CONSOLE RABBITMQ_LANDING RABBITMQ_API RABBITMQ_FEEDBACK_WORKER RABBITMQ_OPERATOR GRAFANA; do
  echo "${name}_PASSWORD=$(password)"
done
echo "RABBITMQ_COOKIE=$(password)"
# a quarter of the machine's memory, see docs/platform-team.md
if [ -r /proc/meminfo ]; then echo "POSTGRES_SHARED_BUFFERS=$(awk '/^MemTotal/ { print int($2 / 4096) }' /proc/meminfo)MB"; fi
