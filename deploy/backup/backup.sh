#!/bin/sh
# Backups of Leadback's database, in /backups. Each is entered in the audit log, where `operator doctor` looks for it.
set -eu
umask 077
usage='docker compose run --rm backup take            a backup now
docker compose run --rm backup check [FILE]    restores the newest backup, or FILE, into an
                                               empty database, counts what is in it, and
                                               removes that database
docker compose run --rm backup restore FILE    puts FILE in the place of the database, which
                                               stays as leadback_before_…; stop the apps first.
                                               FILE is the name of a file in the folder
The service itself takes one a day, after 06:00 UTC, and keeps them for BACKUPS_KEPT_DAYS.'
folder=${BACKUPS:-/backups}
kept_days=${BACKUPS_KEPT_DAYS:-30}
say() { echo "$(date -u +%FT%TZ) $1"; }
fail() { echo "$1" >&2; exit 1; }
ask() { psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$1" --command="$2"; }
# an entry of the audit log: the action, its target, details as JSON
note() { ask leadback "insert into audit_entry (actor, action, target, details) values ('backup', '$1', '$2', '$3')"; }

# whether the backups are somebody else's
is_elsewhere() {
  [ -n "${DATABASE_HOST:-}" ] || return 1
  say "the database is on $DATABASE_HOST: its provider takes the backups, and \`operator backup record\` tells Leadback of them"
}

take() {
  if is_elsewhere; then return; fi
  file=leadback-$(date -u +%FT%H%M%SZ).dump
  # never a part of a backup under the name of one
  rm -f "$folder"/*.part
  pg_dump --format=custom --dbname=leadback --file="$folder/$file.part"
  pg_restore --list "$folder/$file.part" > /dev/null
  mv "$folder/$file.part" "$folder/$file"
  bytes=$(wc -c < "$folder/$file" | tr -d ' ')
  note backup.taken "$file" "{\"bytes\": $bytes}"
  say "took $file, $bytes bytes"
  # only now that there is a newer one
  find "$folder" -name 'leadback-*.dump' -mtime +"$kept_days" -exec rm -f {} +
}

# into a database that is new
fill() {
  ask postgres "create database $1 owner leadback_owner" && pg_restore --exit-on-error --dbname="$1" "$folder/$2"
}

# as Prometheus would: until the next try has ended
alert() {
  [ -n "${ALERTMANAGER_URL:-}" ] || return 0
  wget -q -O /dev/null --header 'content-type: application/json' --post-data "[{
    \"labels\": {\"alertname\": \"LeadbackBackupFailed\", \"severity\": \"critical\"},
    \"annotations\": {\"summary\": \"The daily backup failed; see the log of the service backup\"},
    \"endsAt\": \"$(date -u -d "@$(($(date +%s) + 3600))" +%FT%TZ)\"}]" "$ALERTMANAGER_URL/api/v2/alerts" || say 'Alertmanager does not respond'
}

newest() { ls "$folder" | sed -n '/^leadback-.*\.dump$/p' | sort | tail -n 1; }

daily() {
  if is_elsewhere; then
    while :; do sleep 86400; done
  fi
  # at the first start, beside the migration
  until [ -n "$(ask leadback "select to_regclass('audit_entry')" 2> /dev/null)" ]; do sleep 2; done
  while :; do
    # a day begins at 06:00 UTC, when most visitors sleep
    day_began=$((($(date +%s) - 21600) / 86400 * 86400 + 21600))
    last=$(newest)
    if [ -z "$last" ] || [ "$(stat -c %Y "$folder/$last")" -lt "$day_began" ]; then
      # a process of its own: `set -e` does nothing in a condition
      if ! sh "$0" take; then
        say 'the backup failed, and is tried again in ten minutes'
        alert
      fi
    fi
    sleep "${PAUSE:-600}"
  done
}

check() {
  file=${1:-$(newest)}
  [ -n "$file" ] || fail 'There is no backup yet: docker compose run --rm backup take'
  [ -e "$folder/$file" ] || fail "There is no $file in $folder."
  started=$(date +%s)
  ask postgres 'drop database if exists leadback_check' 2> /dev/null
  trap 'ask postgres "drop database if exists leadback_check" 2> /dev/null' EXIT
  fill leadback_check "$file"
  found=$(ask leadback_check "select (select count(*) from account) || ' accounts, ' || (select count(*) from client) || ' clients, '
    || (select count(*) from conversion) || ' conversions, the newest of ' || coalesce((select max(created_at)::text from conversion), 'no day')")
  migrations=$(ask leadback_check 'select count(*) from mikro_orm_migrations')
  [ "$migrations" -gt 0 ] || fail "$file has no migrations: it is not a backup of Leadback."
  seconds=$(($(date +%s) - started))
  note backup.restored "$file" "{\"seconds\": $seconds}"
  say "restored $file into an empty database in $seconds s: $found"
}

restore() {
  file=${1-}
  [ -n "$file" ] || fail "Which file? There are: $(ls "$folder" | tr '\n' ' ')"
  [ -e "$folder/$file" ] || fail "There is no $file in $folder."
  using=$(ask postgres "select string_agg(distinct application_name, ', ') from pg_stat_activity where datname = 'leadback' and pid <> pg_backend_pid()")
  [ -z "$using" ] || fail "Still connected: $using. First run: docker compose stop feedback-worker api landing console"
  before=leadback_before_$(date -u +%Y%m%d%H%M%S)
  fill leadback_restoring "$file" || { ask postgres 'drop database if exists leadback_restoring'; fail "$file could not be restored; nothing has changed."; }
  # ids that were given after the backup are not given again
  ask leadback_restoring "select setval('conversion_id_seq', nextval('conversion_id_seq') + 1000000), setval('client_id_seq', nextval('client_id_seq') + 1000000)" > /dev/null
  ask postgres "alter database leadback rename to $before"
  ask postgres 'alter database leadback_restoring rename to leadback'
  note backup.restored "$file" '{"kept": true}'
  say "leadback is $file now; what was there before is the database $before"
}

command=${1:-daily}
[ "$#" -eq 0 ] || shift
case "$command" in
  daily) daily ;;
  take) take ;;
  check) check "$@" ;;
  restore) restore "$@" ;;
  --help) echo "$usage" ;;
  *) echo "$usage" >&2; exit 2 ;;
esac
