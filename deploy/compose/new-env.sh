#!/bin/sh
# The secrets of docker-compose.yml, made anew each time: sh deploy/compose/new-env.sh > .env
# Keep that file: what is sealed with SECRETS_KEY can be opened with that key alone.
set -eu
password() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
echo "SECRETS_KEY=$(head -c 32 /dev/urandom | base64)"
for name in POSTGRES LEADBACK_OWNER LEADBACK_APP RABBITMQ_LANDING RABBITMQ_API RABBITMQ_FEEDBACK_WORKER RABBITMQ_OPERATOR GRAFANA; do
  echo "${name}_PASSWORD=$(password)"
done
