#!/bin/sh
# Gives the Prometheus Operator, here the release `prometheus`, the scrape configuration, the alerts and the dashboards.
# Run it from the root of the repository, now and after each upgrade.
set -eu

sed '1,/^scrape_configs:/d' deploy/prometheus/kubernetes.yml |
  kubectl -n monitoring create secret generic leadback-scrape --from-file=scrape.yml=/dev/stdin --dry-run=client -o yaml |
  kubectl apply --server-side -f -
{
  echo 'apiVersion: monitoring.coreos.com/v1'
  echo 'kind: PrometheusRule'
  echo 'metadata: { name: leadback, namespace: monitoring, labels: { release: prometheus } }'
  echo 'spec:'
  sed 's/^/  /' deploy/prometheus/alerts.yml
} | kubectl apply --server-side -f -
sed '/isDefault/d; s/name: Prometheus/name: Leadback/; s/prometheus:9090/prometheus-operated:9090/' deploy/grafana/provisioning/datasources/prometheus.yml |
  kubectl -n monitoring create configmap leadback-datasource --from-file=leadback.yml=/dev/stdin --dry-run=client -o yaml |
  kubectl label --local -f - grafana_datasource=1 -o yaml | kubectl apply --server-side -f -
kubectl -n monitoring create configmap leadback-dashboards --from-file=deploy/grafana/dashboards --dry-run=client -o yaml |
  kubectl label --local -f - grafana_dashboard=1 -o yaml | kubectl apply --server-side -f -
