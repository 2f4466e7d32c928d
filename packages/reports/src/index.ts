export {
  countDeadRows,
  type ShortLivedTable,
  shortLivedTables,
  type AccountMetricsRow,
  type MetricDimension,
  metricDimensions,
  readAccountMetrics,
  readTotals,
  type Totals,
  metricsRoller,
} from './metrics.ts';
export {
  type DeliveryRecord,
  type ConversionFilter,
  type ConversionLister,
  conversionLister,
  type ConversionPage,
  type ListPosition,
  type ConversionReader,
  type ConversionRecord,
  conversionReader,
} from './conversions.ts';
export { type ClientReader, clientReader } from './clients.ts';
export {
  type WebhookDelivery,
  type WebhookDeliveryLister,
  webhookDeliveryLister,
} from './list-webhook-deliveries.ts';
export {
  type AdviceName,
  adviceTexts,
  qualityRoller,
  type MatchFacts,
  type MatchFactsReader,
  matchFactsReader,
  type PlatformQuality,
  type QualityReader,
  qualityReader,
} from './quality/quality.ts';
export { type ConnectionLister, connectionLister, type ListedConnection } from './console/list-connections.ts';
export {
  type DeliveryFilter,
  type DeliveryLister,
  deliveryLister,
  type ListedDelivery,
  type DeliveryReader,
  deliveryReader,
} from './console/deliveries.ts';
export { lastPageChanger, type ListedPage, type PageLister, pageLister } from './console/pages.ts';
export { type DescribedMatch, type Finder, finder } from './console/find.ts';
export { type Story, type StoryReader, storyReader } from './console/story.ts';
export { type OverviewReader, overviewReader } from './console/overview.ts';
export {
  type WaitingReader,
  waitingReader,
  type UndeliveredCounter,
  undeliveredCounter,
  nextUndelivered,
  type UndeliveredFilter,
  type UndeliveredReader,
  undeliveredReader,
} from './console/undelivered.ts';
