import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPromtool } from '@leadback/testing/stack';
import { expect, inject, it } from 'vitest';
import { alertRules } from './monitoring-files.ts';

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus');

/** Values of series over an hour, a minute apart, in promtool's notation. */
type Series = Readonly<Record<string, string>>;

/** The same value throughout. */
const always = (value: number) => `${value}+0x60`;
/** A counter that grows by this much per minute. */
const rising = (perMinute: number) => `0+${perMinute}x60`;
/** `before`, and `now` in the last minutes. */
const lately = (minutes: number, before: number, now: number) => `${before}+0x${60 - minutes} ${now}+0x${minutes - 1}`;

/** An hour in which no alert fires, with the traffic of one account. */
const goodDay: Series = {
  'up{job="landing",instance="a"}': always(1),
  'up{job="api",instance="b"}': always(1),
  'up{job="feedback-worker",instance="c"}': always(1),
  'up{job="console",instance="d"}': always(1),
  'process_start_time_seconds{app="feedback-worker",instance="c"}': always(7),
  'leadback_http_request_seconds_count{app="api",status="201"}': rising(600),
  'leadback_http_request_seconds_count{app="api",status="500"}': rising(1),
  'leadback_http_request_seconds_bucket{app="api",le="0.1"}': rising(600),
  'leadback_http_request_seconds_bucket{app="api",le="5"}': rising(601),
  'leadback_http_request_seconds_bucket{app="api",le="+Inf"}': rising(601),
  'nodejs_eventloop_lag_p99_seconds{app="api",instance="b"}': always(0.02),
  'leadback_database_up{app="landing",instance="a"}': always(1),
  'leadback_database_up{app="api",instance="b"}': always(1),
  'leadback_database_connections{app="api",instance="b",state="awaited"}': lately(2, 0, 5),
  'leadback_overloaded_requests_total{app="api",instance="b"}': rising(1),
  'leadback_http_connections_dropped_total{app="landing",instance="a"}': always(0),
  'leadback_http_connections_closed_total{app="landing",instance="a",reason="process"}': rising(6),
  'leadback_broker_up{app="api",instance="b"}': lately(3, 1, 0),
  'leadback_hints_total{app="api",outcome="confirmed"}': rising(100),
  'leadback_hints_total{app="api",outcome="unconfirmed"}': rising(1),
  'leadback_dead_rows{app="api",table="delivery_due"}': lately(9, 2_000, 250_000),
  'leadback_dead_rows{app="api",table="metric_increment"}': always(20_000),
  'leadback_dead_rows{app="api",table="quality_increment"}': always(20_000),
  'leadback_backlog_measured_timestamp_seconds{app="api"}': rising(60),
  'leadback_metrics_folded_timestamp_seconds{app="api"}': rising(60),
  'leadback_job_finished_timestamp_seconds{app="api",instance="b",name="erasures"}': rising(60),
  'leadback_visits_total{app="landing",lead="recorded",mode="page"}': rising(60),
  'leadback_visits_total{app="landing",lead="lost",mode="page"}': always(0),
  'leadback_visits_total{app="landing",lead="none_limited",mode="direct"}': lately(5, 0, 50),
  'leadback_lead_spool_bytes{app="landing",instance="a"}': lately(5, 20_000, 100_000_000),
  'leadback_lead_spool_bytes_max{app="landing",instance="a"}': always(536_870_912),
  'leadback_lead_buffer_full_total{app="landing",place="queue"}': always(0),
  'leadback_leads_buffered{app="landing"}': lately(5, 0, 1),
  'leadback_leads_dead{app="landing"}': always(0),
  'leadback_leads_dead_total{app="landing"}': always(0),
  'leadback_deliveries_overdue_seconds{app="api",platform="meta"}': always(60),
  // a sale that was registered late; its first attempt was just made
  'leadback_deliveries_waiting_oldest_seconds{app="api",platform="meta",waits_for="retry"}': always(500_000),
  'leadback_deliveries_tried_oldest_seconds{app="api",platform="meta"}': always(86_400),
  'leadback_deliveries_waiting_oldest_seconds{app="api",platform="meta",waits_for="needs_attention"}': always(86_400),
  'leadback_connections{app="api",platform="meta",state="active"}': always(100),
  'leadback_connections{app="api",platform="meta",state="needs_attention"}': always(0),
  'leadback_sources{app="api",kind="woocommerce",trouble="none"}': always(100),
  'leadback_sources{app="api",kind="woocommerce",trouble="paused"}': always(1),
  'leadback_connections_resting{app="feedback-worker",platform="meta"}': always(3),
  'leadback_platform_request_seconds_count{app="feedback-worker",platform="meta",outcome="delivered"}': rising(60),
  'leadback_platform_request_seconds_count{app="feedback-worker",platform="meta",outcome="unavailable"}': rising(3),
  'leadback_deliveries_settled_total{app="feedback-worker",platform="meta",state="delivered"}': rising(60),
  'leadback_deliveries_settled_total{app="feedback-worker",platform="meta",state="failed"}': rising(1),
  // a partner's receiver of webhooks that fails, and one that was paused
  'leadback_deliveries_tried_oldest_seconds{app="api",platform="webhook"}': always(250_000),
  'leadback_deliveries_waiting_oldest_seconds{app="api",platform="webhook",waits_for="paused"}': always(1_000_000),
  'leadback_connections{app="api",platform="webhook",state="active"}': always(1),
  'leadback_connections_resting{app="feedback-worker",platform="webhook"}': always(1),
  'leadback_platform_request_seconds_count{app="feedback-worker",platform="webhook",outcome="unavailable"}': rising(60),
  'leadback_deliveries_settled_total{app="feedback-worker",platform="webhook",state="failed"}': rising(60),
  'leadback_deliveries_expired_total{app="feedback-worker",platform="webhook"}': rising(1),
  'leadback_platform_verdicts_total{app="feedback-worker",platform="google",verdict="failed"}': always(0),
  'leadback_deliveries_expired_total{app="feedback-worker",platform="meta"}': always(0),
  'leadback_deliveries_crashed_total{app="feedback-worker",platform="meta"}': always(0),
  'leadback_delivery_faults_total{app="feedback-worker",platform="meta"}': always(0),
  'leadback_quota_turns_total{app="feedback-worker",outcome="day_full"}': always(0),
  'leadback_platform_version_end_timestamp_seconds{app="feedback-worker",platform="google"}': always(0),
  'leadback_platform_version_end_timestamp_seconds{app="feedback-worker",platform="linkedin"}': always(9_000_000),
};

interface AlertScenario {
  readonly what: string;
  /** The series that differ from a good day. */
  readonly series: Series;
  /** All alerts that fire at the end of the hour. */
  readonly firing: readonly string[];
}

const one = (alert: string, what: string, series: Series): AlertScenario => ({ what, series, firing: [alert] });

/** For each alert, an hour in which only that alert fires. */
const alertScenarios: readonly AlertScenario[] = [
  { what: 'a good day with short interruptions', series: {}, firing: [] },
  one('LeadbackAppDown', 'no worker responds', { 'up{job="feedback-worker",instance="c"}': always(0) }),
  one('LeadbackConsoleDown', 'the console does not respond', { 'up{job="console",instance="d"}': always(0) }),
  one('LeadbackAppRestarts', 'a worker starts every minute', {
    'process_start_time_seconds{app="feedback-worker",instance="c"}': rising(60),
  }),
  one('LeadbackErrors', 'one request in fifty gets a 500 response', {
    'leadback_http_request_seconds_count{app="api",status="500"}': rising(12),
  }),
  one('LeadbackSlow', 'one request in ten takes seconds', {
    'leadback_http_request_seconds_bucket{app="api",le="0.1"}': rising(540),
  }),
  one('LeadbackEventLoopBlocked', 'an api process is overloaded', {
    'nodejs_eventloop_lag_p99_seconds{app="api",instance="b"}': always(0.9),
  }),
  one('LeadbackDatabaseUnavailable', 'an api cannot reach PostgreSQL', {
    'leadback_database_up{app="api",instance="b"}': lately(5, 1, 0),
  }),
  one('LeadbackDatabaseUnavailable', 'a worker consumes no hints because it cannot reach PostgreSQL', {
    'leadback_database_up{app="feedback-worker",instance="c"}': always(0),
    'leadback_broker_up{app="feedback-worker",instance="c"}': always(0),
  }),
  one('LeadbackDatabasePoolExhausted', 'callers always wait for a database connection', {
    'leadback_database_connections{app="api",instance="b",state="awaited"}': always(5),
  }),
  one('LeadbackOverloaded', 'an api refuses one request a second', {
    'leadback_overloaded_requests_total{app="api",instance="b"}': rising(60),
  }),
  one('LeadbackConnectionsFull', 'landing refuses a caller', {
    'leadback_http_connections_dropped_total{app="landing",instance="a"}': lately(5, 0, 1),
  }),
  one('LeadbackConnectionsFull', 'landing closes two connections a second to make room', {
    'leadback_http_connections_closed_total{app="landing",instance="a",reason="process"}': rising(120),
  }),
  one('LeadbackBrokerUnavailable', 'RabbitMQ has been unavailable for ten minutes', {
    'leadback_broker_up{app="api",instance="b"}': lately(10, 1, 0),
  }),
  one('LeadbackHintsNotConfirmed', 'RabbitMQ is available, but confirms only every second hint', {
    'leadback_broker_up{app="api",instance="b"}': always(1),
    'leadback_hints_total{app="api",outcome="unconfirmed"}': rising(100),
  }),
  one('LeadbackBrokerUnavailable', 'no hint is confirmed while RabbitMQ is unavailable', {
    'leadback_broker_up{app="api",instance="b"}': always(0),
    'leadback_hints_total{app="api",outcome="confirmed"}': always(0),
    'leadback_hints_total{app="api",outcome="unconfirmed"}': rising(100),
  }),
  one('LeadbackDeadRowsKept', 'a backup of many hours keeps deleted rows', {
    'leadback_dead_rows{app="api",table="delivery_due"}': rising(30_000),
  }),
  one('LeadbackBacklogUnknown', 'the backlog was measured half an hour ago', {
    'leadback_backlog_measured_timestamp_seconds{app="api"}': always(1_800),
  }),
  one('LeadbackMetricsNotFolded', 'account metrics were last rolled up half an hour ago', {
    'leadback_metrics_folded_timestamp_seconds{app="api"}': always(1_800),
  }),
  one('LeadbackJobStopped', 'erasures were last performed without a failure an hour ago', {
    'leadback_job_finished_timestamp_seconds{app="api",instance="b",name="erasures"}': always(60),
  }),
  one('LeadbackLeadsLost', 'a lead was lost', {
    'leadback_visits_total{app="landing",lead="lost",mode="page"}': lately(5, 0, 1),
  }),
  one('LeadbackLeadBuffersFull', 'RabbitMQ takes no more leads', {
    'leadback_lead_buffer_full_total{app="landing",place="queue"}': lately(5, 0, 1),
  }),
  one('LeadbackLeadBuffersFull', 'leads fill more than half of the disk that they may take', {
    'leadback_lead_spool_bytes{app="landing",instance="a"}': always(300_000_000),
  }),
  one('LeadbackErasuresFailed', 'an erasure failed for good', {
    'leadback_erasures_total{app="api",asked_by="visitor",outcome="failed"}': lately(5, 0, 1),
  }),
  one('LeadbackLeadsLimited', 'a script leaves leads without end', {
    'leadback_visits_total{app="landing",lead="none_limited",mode="direct"}': rising(1000),
  }),
  one('LeadbackLeadsBuffered', 'leads stay buffered although PostgreSQL is available', {
    'leadback_leads_buffered{app="landing"}': lately(20, 0, 1),
  }),
  one('LeadbackLeadsDead', 'a lead was dead-lettered long ago', {
    'leadback_leads_dead{app="landing"}': always(1),
  }),
  one('LeadbackDeliveriesOverdue', 'no worker takes due deliveries', {
    'leadback_deliveries_overdue_seconds{app="api",platform="meta"}': rising(60),
  }),
  one('LeadbackDeliveriesAging', 'a conversion held for the operator occurred six days ago', {
    'leadback_deliveries_waiting_oldest_seconds{app="api",platform="meta",waits_for="needs_attention"}':
      always(518_400),
  }),
  one('LeadbackDeliveriesAging', 'a delivery has been retried for more than two days', {
    'leadback_deliveries_tried_oldest_seconds{app="api",platform="meta"}': always(180_000),
  }),
  one('LeadbackConnectionsNeedAttention', 'a platform rejects the credentials of one connection', {
    'leadback_connections{app="api",platform="meta",state="needs_attention"}': always(1),
  }),
  one('LeadbackSourcesNeedAttention', 'all that one shop sends has a wrong signature', {
    'leadback_sources{app="api",kind="woocommerce",trouble="refused"}': always(1),
  }),
  one('LeadbackPlatformTrouble', 'a platform accepts one request in four', {
    'leadback_platform_request_seconds_count{app="feedback-worker",platform="meta",outcome="unavailable"}': rising(180),
  }),
  one('LeadbackPlatformTrouble', 'the circuit of half of the connections is open', {
    'leadback_connections_resting{app="feedback-worker",platform="meta"}': always(50),
  }),
  one('LeadbackDeliveriesFail', 'every tenth conversion is rejected', {
    'leadback_deliveries_settled_total{app="feedback-worker",platform="meta",state="failed"}': rising(6),
  }),
  one('LeadbackDeliveriesExpired', 'a delivery expired while its connection needed attention', {
    'leadback_deliveries_expired_total{app="feedback-worker",platform="meta"}': lately(5, 0, 1),
  }),
  one('LeadbackRequestStatusFailed', 'Google accepted a request and failed its events later', {
    'leadback_platform_verdicts_total{app="feedback-worker",platform="google",verdict="failed"}': lately(5, 0, 1),
  }),
  one('LeadbackRequestStatusFailed', 'Google accepted a request and skipped its events later as too old', {
    'leadback_platform_verdicts_total{app="feedback-worker",platform="google",verdict="skipped"}': lately(5, 0, 1),
  }),
  one('LeadbackDeliveriesCrashed', 'a delivery failed after five worker crashes', {
    'leadback_deliveries_crashed_total{app="feedback-worker",platform="meta"}': lately(5, 0, 1),
  }),
  one('LeadbackDeliveryFaults', 'an internal error prevents a delivery', {
    'leadback_delivery_faults_total{app="feedback-worker",platform="meta"}': lately(5, 0, 1),
  }),
  one('LeadbackQuotaExhausted', 'a project has no requests left today', {
    'leadback_quota_turns_total{app="feedback-worker",outcome="day_full"}': lately(5, 0, 1),
  }),
  one('LeadbackPlatformVersionEnds', 'a version of LinkedIn ends in two months', {
    'leadback_platform_version_end_timestamp_seconds{app="feedback-worker",platform="linkedin"}': always(5_200_000),
  }),
];

/** A scenario in the format of `promtool test rules`. */
const unitTest = ({ what, series, firing }: AlertScenario) => ({
  name: what,
  interval: '1m',
  input_series: Object.entries({ ...goodDay, ...series }).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: '1h',
      exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    },
  ],
});

/** What promtool prints, to both outputs. Throws if it reports an error. */
const promtool = async (...args: readonly string[]): Promise<string> => {
  // one for all files of the run
  const path = await findPromtool(join(inject('temporaryFolder'), 'promtool'));
  // it ends soon: a fifth of its time went into collecting garbage
  const { stdout, stderr } = await promisify(execFile)(path, args, { env: { ...process.env, GOGC: '400' } });
  return stdout + stderr;
};

const temporary = async (file: string, text: string): Promise<string> => {
  const path = join(await mkdtemp(join(inject('temporaryFolder'), 'alerts-')), file);
  await writeFile(path, text);
  return path;
};

it('Prometheus accepts its configurations and the alert rules', async () => {
  expect(await promtool('check', 'config', join(folder, 'prometheus.yml'))).toContain('SUCCESS');
  // Debian's promtool is built without Kubernetes
  const kubernetes = (await readFile(join(folder, 'kubernetes.yml'), 'utf8')).replace(
    /kubernetes_sd_configs: .*/,
    `static_configs: [{ targets: ['x:1'] }]`,
  );
  expect(await promtool('check', 'config', await temporary('kubernetes.yml', kubernetes))).toContain('SUCCESS');
});

it('each alert has scenarios in which it fires alone, and none fires on a good day', async () => {
  const tests = alertScenarios.map(unitTest);
  const rules = { rule_files: [join(folder, 'alerts.yml')], evaluation_interval: '1m', tests };
  expect(await promtool('test', 'rules', await temporary('alerts.json', JSON.stringify(rules)))).toContain('SUCCESS');
  const tested = new Set(alertScenarios.flatMap(({ firing }) => firing));
  expect(tested).toEqual(new Set(alertRules().map(({ alert }) => alert)));
});
