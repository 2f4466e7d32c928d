#!/bin/sh
# As the official image: initialises an empty volume with POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB, runs the files of
# /docker-entrypoint-initdb.d on a server that listens on its socket alone, then starts the server.
set -eu

if [ "$1" != postgres ]; then exec "$@"; fi

if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres:postgres "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  user=${POSTGRES_USER:-postgres}
  if [ -z "${POSTGRES_PASSWORD:-}" ]; then
    echo 'Error: Database is uninitialized and superuser password is not specified.' >&2
    exit 1
  fi
  printf '%s\n' "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username="$user" --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --silent --wait --options="-c listen_addresses=''" start
  database=${POSTGRES_DB:-$user}
  if [ "$database" != postgres ]; then
    psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$user" --dbname=postgres --command="create database \"$database\""
  fi
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in
      *.sh) echo "running $file"; "$file" ;;
      *.sql) echo "running $file"; psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$user" --dbname="$database" --file="$file" ;;
    esac
  done
  pg_ctl --silent --wait --mode=fast stop
fi

exec "$@" -c listen_addresses='*'
