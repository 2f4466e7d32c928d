#!/bin/sh
# Starts the Alertmanager image with one receiver: ALERTS_TO, an https URL (a webhook) or an address of email, which needs
# SMTP_URL=smtp://user:password@host:587 and SMTP_FROM. Without ALERTS_TO nobody is told, and `operator doctor` says so.
set -eu
config=${CONFIG_FILE:-/tmp/alertmanager.yml}
fail() { echo "$1" >&2; exit 1; }
for value in "${ALERTS_TO:-}" "${SMTP_URL:-}" "${SMTP_FROM:-}"; do
  case "$value" in *[\"\\]* | *[[:space:]]*) fail 'ALERTS_TO, SMTP_URL and SMTP_FROM may not have quotes, backslashes or blanks' ;; esac
done
umask 077
cat > "$config" <<'YAML'
route:
  receiver: people
  group_by: [alertname]
  group_wait: 30s
  group_interval: 5m
  repeat_interval: 12h
receivers:
  - name: people
YAML
case "${ALERTS_TO:-}" in
  '') ;;
  http://* | https://*) printf '    webhook_configs: [{ url: "%s" }]\n' "$ALERTS_TO" >> "$config" ;;
  *@*)
    [ -n "${SMTP_FROM:-}" ] || fail 'ALERTS_TO is an address of email, but SMTP_FROM, the sender, is not set'
    case "${SMTP_URL:-}" in
      smtp://*) server=${SMTP_URL#smtp://} ;;
      *) fail 'ALERTS_TO is an address of email: set SMTP_URL=smtp://user:password@host:587' ;;
    esac
    user= password=
    case "$server" in *@*) login=${server%@*} server=${server##*@} user=${login%%:*} password=${login#*:} ;; esac
    # a user that is an address of email has %40
    decoded() { printf '%s' "$1" | sed 's/%40/@/g; s/%3A/:/g; s/%3a/:/g; s/%2F/\//g; s/%2f/\//g; s/%25/%/g'; }
    case "$server" in *:*) ;; *) server=$server:587 ;; esac
    printf '    email_configs: [{ to: "%s", from: "%s", smarthost: "%s", auth_username: "%s", auth_password: "%s", send_resolved: true }]\n' \
      "$ALERTS_TO" "$SMTP_FROM" "${server%/}" "$(decoded "$user")" "$(decoded "$password")" >> "$config" ;;
  *) fail 'ALERTS_TO is neither an https URL nor an address of email' ;;
esac
exec "${ALERTMANAGER:-/bin/alertmanager}" "--config.file=$config" --storage.path=/alertmanager --cluster.listen-address=
