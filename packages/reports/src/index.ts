export {
  type AccountMetricsRow,
  type MetricDimension,
  metricDimensions,
  readAccountMetrics,
} from './read-account-metrics.ts';
export { type ClientRecord, readClient } from './read-client.ts';
export { type ConversionName, type ConversionRecord, readConversion } from './read-conversion.ts';
export { rollUpMetricChanges } from './roll-up-metric-changes.ts';
