export { countDeadRows, type ShortLivedTable, shortLivedTables } from './count-dead-rows.ts';
export {
  type AccountMetricsRow,
  type MetricDimension,
  metricDimensions,
  readAccountMetrics,
} from './read-account-metrics.ts';
export type { FeedbackRecord } from './delivery-rows.ts';
export { type ClientReader, clientReader } from './read-client.ts';
export {
  type ConversionFilter,
  type ConversionLister,
  conversionLister,
  type ConversionPage,
  type ListPosition,
} from './list-conversions.ts';
export {
  type WebhookDelivery,
  type WebhookDeliveryLister,
  webhookDeliveryLister,
} from './list-webhook-deliveries.ts';
export { type ConversionReader, type ConversionRecord, conversionReader } from './read-conversion.ts';
export { readTotals, type Totals } from './read-totals.ts';
export { metricsRoller } from './metrics-roller.ts';
export { type AdviceName, adviceTexts } from './quality/advice-texts.ts';
export { qualityRoller } from './quality/quality-roller.ts';
export { type MatchFacts, type MatchFactsReader, matchFactsReader } from './quality/read-match-facts.ts';
export { type PlatformQuality, type QualityReader, qualityReader } from './quality/read-quality.ts';
export { type ConnectionLister, connectionLister, type ListedConnection } from './console/list-connections.ts';
export {
  type DeliveryFilter,
  type DeliveryLister,
  deliveryLister,
  type ListedDelivery,
} from './console/list-deliveries.ts';
export { lastPageChanger } from './console/last-page-changer.ts';
export { type ListedPage, type PageLister, pageLister } from './console/list-pages.ts';
export { type DeliveryReader, deliveryReader } from './console/read-delivery.ts';
export { type DescribedMatch, type Finder, finder } from './console/find.ts';
export { type Story, type StoryReader, storyReader } from './console/read-story.ts';
export { type OverviewReader, overviewReader } from './console/read-overview.ts';
export { type WaitingReader, waitingReader } from './console/read-waiting.ts';
export { type UndeliveredCounter, undeliveredCounter } from './console/count-undelivered.ts';
export { nextUndelivered } from './console/next-undelivered.ts';
export {
  type UndeliveredFilter,
  type UndeliveredReader,
  undeliveredReader,
} from './console/undelivered.ts';
