import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenStack } from '../support/given-stack.ts';
import {
  alertRules,
  dashboards,
  dataSourceUid,
  type NamedMetric,
  promqlNames,
  read,
  readYaml,
  scrapedJobs,
} from './monitoring-files.ts';

/** The label values of each metric that the apps expose. */
type ExposedMetrics = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Parses the texts of `/metrics`. */
const exposedMetrics = (texts: readonly string[]): ExposedMetrics => {
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
const missingMetrics = (exposed: ExposedMetrics, named: readonly NamedMetric[]): string[] =>
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

/** The mounted files and folders of a compose service, by their path in the container. */
const mountsOf = (service: string): ReadonlyMap<string, string> => {
  const { services } = readYaml(
    z.object({ services: z.record(z.string(), z.object({ volumes: z.array(z.string()).default([]) })) }),
    'docker-compose.yml',
  );
  const volumes = services[service]?.volumes ?? [];
  return new Map(volumes.map((volume) => volume.split(':')).map(([from = '', to = '']) => [to, from]));
};

const incidentPages = ['docs/reference/incidents.md', 'docs/reference/incidents-of-deliveries.md'];

/** The text of each alert's section of the incident pages, by the URL of the section. */
const incidentSections = (): ReadonlyMap<string, string> =>
  new Map(
    incidentPages.flatMap((page) =>
      Array.from(
        read(page).matchAll(/^## (Leadback\w+)\n([^]*?)(?=\n## |$(?![^]))/gm),
        ([, alert = '', text = '']) => [`${page}#${alert.toLowerCase()}`, text] as const,
      ),
    ),
  );

/** The folder of the dashboards in the Grafana container. */
const dashboardsFolder = () =>
  readYaml(
    z.object({ providers: z.tuple([z.object({ options: z.object({ path: z.string() }) })]) }),
    'deploy/grafana/provisioning/dashboards/leadback.yml',
  ).providers[0].options.path;

const apps = ['landing', 'api', 'feedback-worker', 'console'] as const;

describe('alerts and dashboards', () => {
  let exposed: ExposedMetrics;

  beforeAll(async () => {
    await using stack = await givenStack();
    await Promise.all(apps.map((name) => stack.start(name)));
    await Promise.all([stack.landingUrl, stack.apiUrl, stack.consoleUrl].map((url) => fetch(url)));
    exposed = exposedMetrics(await Promise.all(apps.map((name) => stack.metricsOf(name))));
  });

  it.each(alertRules())('$alert uses only metrics that the apps expose from their start', ({ expr }) => {
    expect(missingMetrics(exposed, promqlNames(expr))).toEqual([]);
  });

  it.each(dashboards())(
    'the dashboard "$title" uses only metrics that the apps expose from their start',
    ({ panels }) => {
      const named = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => promqlNames(expr)));
      expect(named.length).toBeGreaterThan(10);
      expect(missingMetrics(exposed, named)).toEqual([]);
    },
  );

  it('every alert has a description and a section with Meaning, Diagnose, Fix and Impact on an incident page', () => {
    const rules = alertRules();
    const sections = incidentSections();
    expect(rules.map(({ annotations }) => annotations.runbook_path).toSorted()).toEqual(
      [...sections.keys()].toSorted(),
    );
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_path).toContain(`#${alert.toLowerCase()}`);
      expect(annotations.description.length).toBeGreaterThan(60);
    }
    for (const text of sections.values()) {
      const parts = Array.from(text.matchAll(/^\*\*(\w+)\*\* /gm), ([, part]) => part);
      expect(parts).toEqual(['Meaning', 'Diagnose', 'Fix', 'Impact']);
    }
  });

  it('Prometheus scrapes the apps under the job names that alerts and dashboards use', () => {
    expect(scrapedJobs()).toEqual(expect.arrayContaining([...apps]));
  });

  it('every dashboard panel has a description and uses the provisioned data source', () => {
    const uid = dataSourceUid();
    for (const { panels } of dashboards()) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      const drawn = panels.filter(({ type }) => type !== 'row');
      const unexplained = drawn.filter(
        ({ description = '', fieldConfig }) => !description.endsWith('.') || fieldConfig?.defaults.unit === undefined,
      );
      expect(unexplained.map(({ title }) => title)).toEqual([]);
      const asked = drawn.flatMap(({ datasource, targets }) => [datasource, ...targets.map((one) => one.datasource)]);
      expect(new Set(asked.map((one) => one?.uid))).toEqual(new Set([uid]));
    }
  });

  it('docker-compose.yml mounts the alerts and dashboards', () => {
    expect(mountsOf('prometheus').get('/etc/prometheus')).toBe('./deploy/prometheus');
    expect(mountsOf('grafana').get('/etc/grafana/provisioning')).toBe('./deploy/grafana/provisioning');
    expect(mountsOf('grafana').get(dashboardsFolder())).toBe('./deploy/grafana/dashboards');
  });
});
