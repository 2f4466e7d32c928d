import { always, lately, rising, type Series } from './good-day.ts';

export interface AlertScenario {
  readonly what: string;
  /** The series that differ from a good day. */
  readonly series: Series;
  /** All alerts that fire at the end of the hour. */
  readonly firing: readonly string[];
}

const one = (alert: string, what: string, series: Series): AlertScenario => ({ what, series, firing: [alert] });

/** For each alert, an hour in which only that alert fires. */
export const alertScenarios: readonly AlertScenario[] = [
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
  one('LeadbackPlatformVersionEnds', 'a version of LinkedIn ends in a month', {
    'leadback_platform_version_end_timestamp_seconds{app="feedback-worker",platform="linkedin"}': always(2_600_000),
  }),
];
