import type { NamedMetric } from './promql-names.ts';

/** The values of each label of each metric, as apps show them. */
export type ShownMetrics = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Reads what `/metrics` of some apps gave. */
export const shownMetrics = (texts: readonly string[]): ShownMetrics => {
  const shown = new Map<string, Map<string, Set<string>>>();
  for (const [, metric = '', labels = ''] of texts.join('\n').matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const known = shown.get(metric) ?? new Map<string, Set<string>>();
    shown.set(metric, known);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
  return shown;
};

// of Prometheus itself
const made: ShownMetrics = new Map([
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
// whose values are not known before there have been requests
const openLabels = new Set(['status', 'route', 'method', 'alertname', 'alertstate']);

const isAmong = (values: ReadonlySet<string>, operator: string, value: string): boolean =>
  operator.endsWith('~')
    ? value.split('|').every((part) => [...values].some((one) => new RegExp(`^(?:${part})$`).test(one)))
    : value === '' || values.has(value);

/** What an expression names and no app shows: metrics, labels, and values that a label never has. */
export const notShown = (shown: ShownMetrics, named: readonly NamedMetric[]): string[] =>
  named.flatMap(({ metric, labels }) => {
    const known = shown.get(metric) ?? made.get(metric);
    if (!known) return [metric];
    return labels.flatMap(({ name, operator, value }) => {
      if (labelsOfTargets.has(name)) return [];
      const values = known.get(name);
      if (!values) return [`${metric}{${name}}`];
      if (operator === undefined || value === undefined || openLabels.has(name)) return [];
      return isAmong(values, operator, value) ? [] : [`${metric}{${name}${operator}"${value}"}`];
    });
  });
