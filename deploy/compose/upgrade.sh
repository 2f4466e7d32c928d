#!/bin/sh
# Upgrades Leadback on one machine with Docker Compose: images, schema, then the apps in the order that each release supports.
set -eu
usage='sh deploy/compose/upgrade.sh            runs what is in this folder now
sh deploy/compose/upgrade.sh v1.1.0     checks out this version first
It builds the images, takes a backup, migrates, starts feedback-worker, api, landing
and console, and runs doctor. If an app does not become healthy, or doctor finds an
error that was not there before, it puts the old images back. The schema stays: the
previous release runs on it.'

upgrade() {
  case "$#:${1-}" in
    1:--help) echo "$usage"; exit ;;
    0:) version= ;;
    1:-* | 1:) echo "$usage" >&2; exit 2 ;;
    1:*) version=$1 ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  cd "$(dirname "$0")/../.."
  apps='feedback-worker api landing console'
  say() { echo "== $1"; }
  # a container that ends by itself. Not with --rm, with which podman loses the exit status
  run_once() {
    docker rm --force leadback-upgrade > /dev/null 2>&1 || true
    docker compose run --name leadback-upgrade --no-deps -T "$@" && ended=0 || ended=$?
    docker rm --force leadback-upgrade > /dev/null 2>&1 || true
    return "$ended"
  }
  findings() { docker compose run --rm --no-deps -T operator doctor --csv 2> /dev/null || true; }
  # the names of checks that found an error; one that could not be made has found nothing
  errors() { printf '%s\n' "$1" | grep -v '^"[^"]*","error","not checked' | sed -n 's/^"\([^"]*\)","error",.*/\1/p' | sort -u; }
  # of a check that is new itself, the old version has the same problem
  new_errors() {
    errors "$(findings)" | while read -r check; do
      if printf '%s\n' "$before" | grep -qxF "$check"; then continue; fi
      if printf '%s\n' "$checked" | sed -n 's/^"\([^"]*\)",.*/\1/p' | grep -qxF "$check"; then echo "$check"; fi
    done
  }

  if [ ! -e .env ]; then echo 'There is no .env here: sh deploy/compose/new-env.sh DOMAIN' >&2; exit 1; fi
  say 'what is wrong before the upgrade'
  checked=$(findings)
  before=$(errors "$checked")
  echo "${before:-nothing}"

  old=
  if [ -n "$version" ]; then
    if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
      echo 'Files of this folder were changed; commit or undo this first: git status' >&2
      exit 1
    fi
    old=$(git rev-parse HEAD)
    say "checks out $version"
    git fetch --quiet --tags
    git checkout --quiet "$version"
    # of an app that is new, or has a new key
    sh deploy/compose/new-env.sh --secrets
  fi

  say 'keeps the old images, as leadback-…:previous'
  for app in operator $apps; do
    if docker image inspect "leadback-$app:local" > /dev/null 2>&1; then
      docker image tag "leadback-$app:local" "leadback-$app:previous"
    fi
  done

  # one that ends at its start is started again and again, and never becomes unhealthy: hence the time limit
  start() { docker compose up -d --no-build --no-deps --wait --wait-timeout 180 "$1"; }
  back() {
    say "$1: puts the old images back"
    [ -z "$old" ] || git checkout --quiet "$old"
    for app in operator $apps; do docker image tag "leadback-$app:previous" "leadback-$app:local"; done
    missing=
    for app in console landing api feedback-worker; do start "$app" || missing="$missing $app"; done
    if [ -z "$missing" ]; then
      echo 'The old version runs again. The schema is the new one, which it supports.' >&2
    else
      echo "These do not start:$missing. See docker compose ps and docker compose logs." >&2
    fi
    exit 1
  }

  say 'builds the images'
  docker compose --profile operator build || back 'the build failed'
  say 'restarts PostgreSQL and RabbitMQ if their settings have changed'
  docker compose up -d --no-deps --wait postgres rabbitmq || back 'a server did not start'
  if docker compose config --services | grep -qx backup; then
    say 'takes a backup'
    run_once backup take || back 'the backup failed'
  fi
  say 'migrates'
  run_once migrate || back 'the migration failed'
  for app in $apps; do
    say "starts $app"
    start "$app" || back "$app did not become healthy"
  done
  say 'doctor'
  docker compose run --rm --no-deps -T operator doctor || true
  # apps that have just started may need a moment
  for pause in 20 40 0; do
    new=$(new_errors)
    if [ -z "$new" ] || [ "$pause" = 0 ]; then break; fi
    say "looks again in $pause s: $(echo $new)"
    sleep "$pause"
  done
  [ -z "$new" ] || back "doctor finds errors that were not there before: $(echo $new)"
  say 'starts the rest'
  docker compose up -d --no-build --wait
  echo 'Upgraded.'
}

# read as a whole before it runs: a checkout replaces this file
upgrade "$@"
exit
