#!/bin/sh
# Creates the roles of roles.sql and sets their passwords. The PostgreSQL image runs it when it initialises its data; run it by
# hand at any other time. It connects like psql (PGHOST, PGUSER …).
set -eu

for name in LEADBACK_OWNER_PASSWORD LEADBACK_LANDING_PASSWORD LEADBACK_API_PASSWORD LEADBACK_FEEDBACK_WORKER_PASSWORD LEADBACK_CONSOLE_PASSWORD; do
  value=$(printenv "$name" || true)
  case "$value" in
    '') echo "$name is not set" >&2; exit 1 ;;
    *[!A-Za-z0-9._~-]*) echo "$name has a character that would need escaping in a URL" >&2; exit 1 ;;
  esac
done

psql --set=ON_ERROR_STOP=1 --quiet --single-transaction \
  --username="${POSTGRES_USER:-${PGUSER:-postgres}}" --dbname="${POSTGRES_DB:-${PGDATABASE:-leadback}}" <<SQL
\i $(dirname "$0")/roles.sql
\getenv owner_password LEADBACK_OWNER_PASSWORD
\getenv landing_password LEADBACK_LANDING_PASSWORD
\getenv api_password LEADBACK_API_PASSWORD
\getenv feedback_worker_password LEADBACK_FEEDBACK_WORKER_PASSWORD
\getenv console_password LEADBACK_CONSOLE_PASSWORD
alter role leadback_owner password :'owner_password';
alter role leadback_landing password :'landing_password';
alter role leadback_api password :'api_password';
alter role leadback_feedback_worker password :'feedback_worker_password';
alter role leadback_console password :'console_password';
SQL
