import { beforeAll, describe, expect, it } from 'vitest';
import { givenStack } from '../support/given-stack.ts';
import { promqlNames } from './promql-names.ts';
import { missingMetrics, type ExposedMetrics, exposedMetrics } from './exposed-metrics.ts';
import {
  alertRules,
  dashboards,
  dashboardsFolder,
  dataSourceUid,
  incidentSections,
  mountsOf,
  scrapedJobs,
} from './monitoring-files.ts';

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

  it('the check finds unknown metrics, labels and label values, and invalid PromQL', () => {
    const wrong = ['leadback_lost', 'sum by (colour) (leadback_broker_up)', 'leadback_connections{state="ill"}'];
    expect(missingMetrics(exposed, wrong.flatMap(promqlNames))).toEqual([
      'leadback_lost',
      'leadback_broker_up{colour}',
      'leadback_connections{state="ill"}',
    ]);
    expect(() => promqlNames('sum by (app) rate(x[5m]')).toThrow('not PromQL');
  });

  it('every alert has a description and a section with Meaning, Diagnose, Fix and Impact on an incident page', () => {
    const rules = alertRules();
    const sections = incidentSections();
    expect(rules.map(({ annotations }) => annotations.runbook_path).toSorted()).toEqual(
      [...sections.keys()].toSorted(),
    );
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_path).toContain(`#${alert.toLowerCase()}`);
      expect(annotations.description.length).toBeGreaterThan(80);
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
