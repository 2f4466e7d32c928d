/** Values of series over an hour, a minute apart, in promtool's notation. */
export type Series = Readonly<Record<string, string>>;

/** The same value throughout. */
export const always = (value: number) => `${value}+0x60`;
/** A counter that grows by this much per minute. */
export const rising = (perMinute: number) => `0+${perMinute}x60`;
/** `before`, and `now` in the last minutes. */
export const lately = (minutes: number, before: number, now: number) =>
  `${before}+0x${60 - minutes} ${now}+0x${minutes - 1}`;

/** An hour in which no alert fires, with the traffic of one account. */
export const goodDay: Series = {
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
  'leadback_dead_rows{app="api",table="metric_change"}': always(20_000),
  'leadback_dead_rows{app="api",table="quality_change"}': always(20_000),
  'leadback_backlog_measured_timestamp_seconds{app="api"}': rising(60),
  'leadback_metrics_folded_timestamp_seconds{app="api"}': rising(60),
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
  'leadback_platform_version_end_timestamp_seconds{app="feedback-worker",platform="linkedin"}': always(6_000_000),
};
