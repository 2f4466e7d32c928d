import type { NamedMetric } from './promql-names.ts';

/** The label values of each metric that the apps expose. */
export type ExposedMetrics = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Parses the texts of `/metrics`. */
export const exposedMetrics = (texts: readonly string[]): ExposedMetrics => {
  const exposed = new Map<string, Map<string, Set<string>>>();
  for (const [, metric = '', labels = ''] of texts.join('\n').matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const known = exposed.get(metric) ?? new Map<string, Set<string>>();
    exposed.set(metric, known);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
  return exposed;
};

// Prometheus' own metrics
const made: ExposedMetrics = new Map([
  ['up', new Map()],
  [
    'ALERTS',
    new Map([
      ['alertname', new Set<string>()],
      ['alertstate', new Set<string>()],
    ]),
  ],
]);
const labelsOfTargets = new Set(['job', 'instance']);
// labels whose values appear only after requests
const openLabels = new Set(['status', 'route', 'method', 'alertname', 'alertstate']);

const isAmong = (values: ReadonlySet<string>, operator: string, value: string): boolean =>
  operator.endsWith('~')
    ? value.split('|').every((part) => [...values].some((one) => new RegExp(`^(?:${part})$`).test(one)))
    : value === '' || values.has(value);

/** Metrics, labels and label values of an expression that no app exposes. */
export const missingMetrics = (exposed: ExposedMetrics, named: readonly NamedMetric[]): string[] =>
  named.flatMap(({ metric, labels }) => {
    const known = exposed.get(metric) ?? made.get(metric);
    if (!known) return [metric];
    return labels.flatMap(({ name, operator, value }) => {
      if (labelsOfTargets.has(name)) return [];
      const values = known.get(name);
      if (!values) return [`${metric}{${name}}`];
      if (operator === undefined || value === undefined || openLabels.has(name)) return [];
      return isAmong(values, operator, value) ? [] : [`${metric}{${name}${operator}"${value}"}`];
    });
  });
