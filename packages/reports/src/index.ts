export { countDeadRows, type ShortLivedTable, shortLivedTables } from './count-dead-rows.ts';
export {
  type AccountMetricsRow,
  type MetricDimension,
  metricDimensions,
  readAccountMetrics,
} from './read-account-metrics.ts';
export { type ClientReader, clientReader } from './read-client.ts';
export { type ConversionReader, type ConversionRecord, conversionReader } from './read-conversion.ts';
export { metricsRoller } from './metrics-roller.ts';
