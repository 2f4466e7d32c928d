import { always, lately, rising, type Series } from './good-day.ts';

export interface AlertScenario {
  readonly what: string;
  /** What is other than on a good day. */
  readonly series: Series;
  /** The alerts that ring at the end of the hour, and no others. */
  readonly rings: readonly string[];
}

const one = (alert: string, what: string, series: Series): AlertScenario => ({ what, series, rings: [alert] });

/** For every alert an hour in which it, and it alone, has to ring. */
export const alertScenarios: readonly AlertScenario[] = [
  { what: 'all is well, but for some moments', series: {}, rings: [] },
  one('LeadbackAppGone', 'no worker answers', { 'up{job="feedback-worker",instance="c"}': always(0) }),
  one('LeadbackAppRestarts', 'a worker starts every minute', {
    'process_start_time_seconds{app="feedback-worker",instance="c"}': rising(60),
  }),
  one('LeadbackErrors', 'one request in fifty is answered 500', {
    'leadback_http_request_seconds_count{app="api",status="500"}': rising(12),
  }),
  one('LeadbackSlow', 'one request in ten takes seconds', {
    'leadback_http_request_seconds_bucket{app="api",le="0.1"}': rising(540),
  }),
  one('LeadbackEventLoopBlocked', 'an api cannot keep up', {
    'nodejs_eventloop_lag_p99_seconds{app="api",instance="b"}': always(0.9),
  }),
  one('LeadbackDatabaseAway', 'an api does not reach PostgreSQL', {
    'leadback_database_up{app="api",instance="b"}': lately(5, 1, 0),
  }),
  one('LeadbackDatabaseCrowded', 'callers always wait for a connection', {
    'leadback_database_connections{app="api",instance="b",state="awaited"}': always(5),
  }),
  one('LeadbackBrokerAway', 'RabbitMQ has been away for ten minutes', {
    'leadback_broker_up{app="api",instance="b"}': lately(10, 1, 0),
  }),
  one('LeadbackPublishesNotConfirmed', 'RabbitMQ confirms every second message', {
    'leadback_feedback_published_total{app="api",by="request",outcome="left due"}': rising(100),
  }),
  one('LeadbackRelayStuck', 'every round of the relay fails', {
    'leadback_relay_rounds_total{app="api",outcome="nothing due"}': always(60),
    'leadback_relay_rounds_total{app="api",outcome="failed"}': rising(60),
  }),
  one('LeadbackBacklogUnknown', 'the backlog was measured half an hour ago', {
    'leadback_backlog_measured_timestamp_seconds{app="api"}': always(1_800),
  }),
  one('LeadbackMetricsNotFolded', 'metrics were last folded half an hour ago', {
    'leadback_metrics_folded_timestamp_seconds{app="api"}': always(1_800),
  }),
  one('LeadbackLeadsLost', 'a lead was lost', {
    'leadback_visits_total{app="landing",lead="lost",mode="page"}': lately(5, 0, 1),
  }),
  one('LeadbackLeadsWaiting', 'leads wait though PostgreSQL is there', {
    'leadback_leads_waiting{app="landing"}': lately(20, 0, 1),
  }),
  one('LeadbackLeadsDead', 'a lead was laid with the dead letters long ago', {
    'leadback_leads_dead{app="landing"}': always(1),
  }),
  one('LeadbackFeedbackOverdue', 'nobody takes what could be sent', {
    'leadback_feedback_overdue_seconds{app="api",platform="meta"}': rising(60),
  }),
  one('LeadbackFeedbackGrowsOld', 'a conversion that waits for the operator occurred six days ago', {
    'leadback_feedback_waiting_oldest_seconds{app="api",platform="meta",waits_for="needs_attention"}': always(518_400),
  }),
  one('LeadbackFeedbackGrowsOld', 'a conversion has been tried for longer than two days', {
    'leadback_feedback_tried_oldest_seconds{app="api",platform="meta"}': always(180_000),
  }),
  one('LeadbackConnectionsNeedAttention', 'a platform refuses the credentials of one connection', {
    'leadback_connections{app="api",platform="meta",state="needs_attention"}': always(1),
  }),
  one('LeadbackPlatformTrouble', 'a platform takes one request in four', {
    'leadback_platform_request_seconds_count{app="feedback-worker",platform="meta",outcome="unavailable"}': rising(180),
  }),
  one('LeadbackPlatformTrouble', 'half of the connections rest', {
    'leadback_connections_resting{app="feedback-worker",platform="meta"}': always(50),
  }),
  one('LeadbackFeedbackFails', 'every tenth conversion is rejected', {
    'leadback_feedback_settled_total{app="feedback-worker",platform="meta",state="failed"}': rising(6),
  }),
  one('LeadbackFeedbackExpired', 'a conversion grew too old while its connection waited for the operator', {
    'leadback_feedback_expired_total{app="feedback-worker",platform="meta"}': lately(5, 0, 1),
  }),
  one('LeadbackVerdictsFail', 'Google could not use a request that it had taken', {
    'leadback_platform_verdicts_total{app="feedback-worker",platform="google",verdict="failed"}': lately(5, 0, 1),
  }),
  one('LeadbackVerdictsFail', 'a request that Google had taken was too old for it', {
    'leadback_platform_verdicts_total{app="feedback-worker",platform="google",verdict="skipped"}': lately(5, 0, 1),
  }),
  one('LeadbackFeedbackCrashed', 'a conversion has killed its workers', {
    'leadback_feedback_crashed_total{app="feedback-worker",platform="meta"}': lately(5, 0, 1),
  }),
  one('LeadbackDeliveryFaults', 'a fault of ours keeps something from being sent', {
    'leadback_delivery_faults_total{app="feedback-worker",platform="meta"}': lately(5, 0, 1),
  }),
  one('LeadbackQuotaUsedUp', 'a project has no requests left today', {
    'leadback_quota_turns_total{app="feedback-worker",outcome="day full"}': lately(5, 0, 1),
  }),
];
