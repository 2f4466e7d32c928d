#!/bin/sh
# Writes new secrets and the size of PostgreSQL's buffers for docker-compose.yml: sh deploy/compose/new-env.sh .env
# Keep that file: data encrypted with SECRETS_KEY can be decrypted only with that key. The keys of the apps are derived from it,
# as the operator's `secrets keys` does: no app gets the key for everything.
set -eu
usage='sh deploy/compose/new-env.sh .env   writes new secrets to .env, and never replaces a file
sh deploy/compose/new-env.sh        prints them: to add a line that an older .env lacks'
case "$#:${1-}" in
  0:) ;;
  1:--help) echo "$usage"; exit ;;
  1:-* | 1: | [!1]*) echo "$usage" >&2; exit 2 ;;
  *)
    if [ -e "$1" ]; then
      echo "$1 exists, and is not replaced: without its SECRETS_KEY, credentials and contact data could no longer be read." >&2
      exit 1
    fi
    umask 077
    set -C # should the file appear only now
    exec > "$1"
    trap '[ "$?" -eq 0 ] || rm -f "$1"' EXIT ;;
esac
# the shell that has redirected the output created the file
if [ -f /dev/stdout ]; then chmod 600 /dev/stdout; fi
random() { head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
password() { random 24; }

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

secrets_key=$(random 32)
extracted=$(bytes "$secrets_key" 0 0 | hmac '') # HKDF-SHA-256 without salt, RFC 5869

# the variable of an app, its name, and what it does with secrets: packages/domain/src/keys/keys.ts
keys_of() {
  variable=$1 app=$2 separator='{'
  shift 2
  json=$(for purpose in "$@"; do
    key=$(printf 'leadback %s\001' "$purpose" | hmac "$extracted")
    printf '%s"%s":["%s"]' "$separator" "$purpose" "$(bytes "$key" 0 0 | base64 | tr -d '\n')"
    separator=,
  done)
  echo "${variable}_SECRETS_KEY=$app.$(printf '%s}' "$json" | base64 | tr -d '=\n' | tr '+/' '-_')"
}

echo "SECRETS_KEY=$(bytes "$secrets_key" 0 0 | base64)"
keys_of LANDING landing 'account key' 'consent request' erasure 'lead proof' 'lead reference' 'page preview' 'remembered clicks' 'visitor page' 'waiting lead 1'
keys_of API api 'account key' erasure 'erasure receipt' 'lead reference' 'webhook secret'
keys_of FEEDBACK_WORKER feedback-worker 'account key' 'platform credentials' 'webhook secret'
keys_of CONSOLE console 'account key' erasure 'known browser' 'page preview' 'platform credentials' 'second factor' 'webhook secret'
for name in POSTGRES LEADBACK_OWNER LEADBACK_LANDING LEADBACK_API LEADBACK_FEEDBACK_WORKER LEADBACK_CONSOLE RABBITMQ_LANDING RABBITMQ_API RABBITMQ_FEEDBACK_WORKER RABBITMQ_OPERATOR GRAFANA; do
  echo "${name}_PASSWORD=$(password)"
done
echo "RABBITMQ_COOKIE=$(password)"
# a quarter of the machine's memory, see docs/production.md
if [ -r /proc/meminfo ]; then echo "POSTGRES_SHARED_BUFFERS=$(awk '/^MemTotal/ { print int($2 / 4096) }' /proc/meminfo)MB"; fi
