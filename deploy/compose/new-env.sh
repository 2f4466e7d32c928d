#!/bin/sh
# Prepares Docker Compose: `.env`, for people, and deploy/compose/secrets, which has a file for each container. Each app gets its
# own password and the keys that it needs, derived from SECRETS_KEY as the operator's `secrets keys` does.
set -eu
usage='sh deploy/compose/new-env.sh DOMAIN [--landing HOST] [--api HOST] [--console HOST]
    for a server: writes .env and the folder deploy/compose/secrets.
    Hosts, if not given: go.DOMAIN, api.DOMAIN and console.DOMAIN
sh deploy/compose/new-env.sh localhost
    the same, to try Leadback on this machine without TLS
sh deploy/compose/new-env.sh --secrets
    only the folder, from the SECRETS_KEY of .env: on another machine, after an
    upgrade, and when SECRETS_KEY has changed. Passwords stay as they are
It never replaces .env.'
wrong() { printf '%s\n\n%s\n' "$1" "$usage" >&2; exit 2; }

case "${1-}" in
  --help) echo "$usage"; exit ;;
  '') wrong 'Which domain?' ;;
  --secrets) domain=; [ "$#" -eq 1 ] || wrong 'There is one word too many.' ;;
  -*) wrong "There is no option $1." ;;
  *) domain=$1 ;;
esac
shift
landing=go.$domain api=api.$domain console=console.$domain
while [ "$#" -gt 0 ]; do
  [ "$#" -gt 1 ] || wrong "$1 needs a host name."
  case "$1" in
    --landing) landing=$2 ;;
    --api) api=$2 ;;
    --console) console=$2 ;;
    *) wrong "There is no option $1." ;;
  esac
  shift 2
done
for name in ${domain:+"$domain" "$landing" "$api" "$console"}; do
  case "$name" in
    *[!a-z0-9.-]* | .* | *. | -*) wrong "$name is not a host name: write example.com, in small letters and without https://." ;;
    *.* | localhost) ;;
    *) wrong "$name is not a host name: write example.com, in small letters and without https://." ;;
  esac
done

cd "$(dirname "$0")/../.."
folder=deploy/compose/secrets
umask 077
random() { head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# Secrets pass through pipes and the shell's own commands: the command lines of others are there for all to read.
sha256() { if command -v sha256sum > /dev/null; then sha256sum; else shasum -a 256; fi | cut -c 1-64; }
# hexadecimal to bytes, each changed by a mask (0: unchanged), and filled up with zeros to a length
bytes() {
  printf "$(printf '%s\n' "$1" | awk -v mask="$2" -v least="$3" '{
    for (i = 0; i < length($0) / 2 || i < least; i++) {
      byte = i < length($0) / 2 ? 16 * index("123456789abcdef", substr($0, 2 * i + 1, 1)) + index("123456789abcdef", substr($0, 2 * i + 2, 1)) : 0
      changed = 0
      for (bit = 128; bit >= 1; bit /= 2) if (int(byte / bit) % 2 != int(mask / bit) % 2) changed += bit
      printf "\\%03o", changed
    }
  }')"
}
# HMAC of the standard input with a key of at most 64 bytes, in hexadecimal
hmac() {
  inner=$({ bytes "$1" 54 64; cat; } | sha256)
  { bytes "$1" 92 64; bytes "$inner" 0 0; } | sha256
}

if [ -n "$domain" ]; then
  if [ -e .env ]; then
    echo '.env exists, and is not replaced: without its SECRETS_KEY, credentials and contact data could no longer be read.' >&2
    exit 1
  fi
  if [ -e "$folder/passwords" ]; then
    echo "$folder has the passwords of a database, but there is no .env. Copy the .env that belongs to it here. If that database is gone, remove the folder." >&2
    exit 1
  fi
  secrets_key=$(bytes "$(random 32)" 0 0 | base64)
  set -C # should the file appear only now
  {
    echo '# Keep a copy of this file in another place: without SECRETS_KEY, backups are worth little. .env.example has what else can be set.'
    if [ "$domain" = localhost ]; then
      echo 'COMPOSE_FILE=docker-compose.yml'
    else
      echo 'COMPOSE_FILE=docker-compose.yml:deploy/compose/server.yml'
      echo "LANDING_URL=https://$landing"
      echo "API_URL=https://$api"
      echo "CONSOLE_URL=https://$console"
      echo 'TRUST_PROXY=1'
      echo '# alerts go to an address of email (with SMTP_URL=smtp://user:password@host:587 and SMTP_FROM=) or to the https URL of a webhook'
      echo 'ALERTS_TO='
      echo '# for how many days backups are kept'
      echo 'BACKUPS_KEPT_DAYS=30'
    fi
    # a quarter of the machine's memory, see docs/production.md
    if [ -r /proc/meminfo ]; then echo "POSTGRES_SHARED_BUFFERS=$(awk '/^MemTotal/ { print int($2 / 4096) }' /proc/meminfo)MB"; fi
    echo "SECRETS_KEY=$secrets_key"
  } > .env
  set +C
elif [ -e .env ]; then
  # Docker Compose reads quotes, too
  secrets_key=$(sed -n "s/^SECRETS_KEY=//p" .env | tail -n 1 | tr -d "\"' \r")
  [ -n "$secrets_key" ] || { echo '.env has no line SECRETS_KEY=…' >&2; exit 1; }
else
  echo 'There is no .env: run sh deploy/compose/new-env.sh DOMAIN' >&2
  exit 1
fi

# HKDF-SHA-256 without salt, RFC 5869: the first step for each key of SECRETS_KEY
extracted=$(for key in $(echo "$secrets_key" | tr ',' ' '); do
  key=$(printf '%s' "$key" | base64 -d 2> /dev/null | od -An -v -tx1 | tr -d ' \n')
  # of anything else, everybody could compute the keys
  [ ${#key} -eq 64 ] || { echo 'SECRETS_KEY in .env: expected 32 bytes in base64, or several such keys with commas between them. Nothing was written.' >&2; exit 1; }
  bytes "$key" 0 0 | hmac ''
done)

mkdir -p "$folder"
touch "$folder/passwords"
# the password of this name, which is made once
password() {
  made=$(sed -n "s/^$1=//p" "$folder/passwords")
  if [ -z "$made" ]; then
    made=$(random 24)
    echo "$1=$made" >> "$folder/passwords"
  fi
  echo "$made"
}

# the keys of an app for what it does with secrets: packages/domain/src/keys/keys.ts
keys_of() {
  app=$1 separator='{'
  shift
  json=$(for purpose in "$@"; do
    printf '%s"%s":[' "$separator" "$purpose"
    comma=
    for one in $extracted; do
      key=$(printf 'leadback %s\001' "$purpose" | hmac "$one")
      printf '%s"%s"' "$comma" "$(bytes "$key" 0 0 | base64 | tr -d '\n')"
      comma=,
    done
    printf ']'
    separator=,
  done)
  echo "SECRETS_KEY=$app.$(printf '%s}' "$json" | base64 | tr -d '=\n' | tr '+/' '-_')"
}
# what a container gets: each word is a variable, and the name of the password that it has
file_of() {
  name=$1
  shift
  for pair in "$@"; do echo "${pair%%=*}=$(password "${pair#*=}")"; done > "$folder/$name.env.new"
  case "$name" in
    landing) keys_of landing 'account key' 'consent request' erasure 'lead proof' 'lead reference' 'page preview' 'remembered clicks' 'visitor page' 'waiting lead 1' ;;
    api) keys_of api 'account key' erasure 'erasure receipt' 'lead reference' 'source secret' 'webhook secret' ;;
    feedback-worker) keys_of feedback-worker 'account key' 'platform credentials' 'webhook secret' ;;
    console) keys_of console 'account key' erasure 'known browser' 'page preview' 'platform credentials' 'second factor' 'source secret' 'webhook secret' ;;
  esac >> "$folder/$name.env.new"
  mv "$folder/$name.env.new" "$folder/$name.env"
}

roles='LEADBACK_LANDING_PASSWORD=LEADBACK_LANDING LEADBACK_API_PASSWORD=LEADBACK_API LEADBACK_FEEDBACK_WORKER_PASSWORD=LEADBACK_FEEDBACK_WORKER LEADBACK_CONSOLE_PASSWORD=LEADBACK_CONSOLE'
users='RABBITMQ_LANDING_PASSWORD=RABBITMQ_LANDING RABBITMQ_API_PASSWORD=RABBITMQ_API RABBITMQ_FEEDBACK_WORKER_PASSWORD=RABBITMQ_FEEDBACK_WORKER RABBITMQ_OPERATOR_PASSWORD=RABBITMQ_OPERATOR'
# $roles and $users are several words
file_of postgres POSTGRES_PASSWORD=POSTGRES LEADBACK_OWNER_PASSWORD=LEADBACK_OWNER $roles
file_of pgbouncer $roles
file_of rabbitmq RABBITMQ_COOKIE=RABBITMQ_COOKIE $users
file_of migrate PGPASSWORD=LEADBACK_OWNER
file_of backup PGPASSWORD=POSTGRES
file_of operator PGPASSWORD=LEADBACK_CONSOLE AMQP_PASSWORD=RABBITMQ_OPERATOR
file_of landing PGPASSWORD=LEADBACK_LANDING AMQP_PASSWORD=RABBITMQ_LANDING
file_of api PGPASSWORD=LEADBACK_API AMQP_PASSWORD=RABBITMQ_API
file_of feedback-worker PGPASSWORD=LEADBACK_FEEDBACK_WORKER AMQP_PASSWORD=RABBITMQ_FEEDBACK_WORKER
file_of console PGPASSWORD=LEADBACK_CONSOLE
file_of grafana GF_SECURITY_ADMIN_PASSWORD=GRAFANA

if [ -n "$domain" ]; then
  echo 'Wrote .env and deploy/compose/secrets. Next:'
  [ "$domain" = localhost ] || echo "  DNS records of $landing, $api and $console that point to this machine"
  echo '  docker compose up -d --wait'
  echo '  docker compose run --rm operator user invite --email you@example.com --role admin   prints a link: open it'
fi
