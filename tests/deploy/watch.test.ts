import { beforeAll, describe, expect, it } from 'vitest';
import { givenStack } from '../support/given-stack.ts';
import { promqlNames } from './promql-names.ts';
import { notShown, type ShownMetrics, shownMetrics } from './shown-metrics.ts';
import {
  alertRules,
  dashboards,
  dashboardsFolder,
  dataSourceUid,
  incidentSections,
  mountsOf,
  scrapedJobs,
} from './watch-files.ts';

const apps = ['landing', 'api', 'feedback-worker'] as const;

describe('what watches the apps', () => {
  let shown: ShownMetrics;

  beforeAll(async () => {
    await using stack = await givenStack();
    await Promise.all(apps.map((name) => stack.start(name)));
    await Promise.all([fetch(stack.landingUrl), fetch(stack.apiUrl)]);
    shown = shownMetrics(await Promise.all(apps.map((name) => stack.metricsOf(name))));
  });

  it.each(alertRules())('$alert rings by what the apps show from their start', ({ expr }) => {
    expect(notShown(shown, promqlNames(expr))).toEqual([]);
  });

  it.each(dashboards())('the dashboard "$title" draws what the apps show from their start', ({ panels }) => {
    const named = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => promqlNames(expr)));
    expect(named.length).toBeGreaterThan(10);
    expect(notShown(shown, named)).toEqual([]);
  });

  it('would notice a metric, a label and a value that nobody shows, and what is not PromQL', () => {
    const wrong = ['leadback_lost', 'sum by (colour) (leadback_broker_up)', 'leadback_connections{state="ill"}'];
    expect(notShown(shown, wrong.flatMap(promqlNames))).toEqual([
      'leadback_lost',
      'leadback_broker_up{colour}',
      'leadback_connections{state="ill"}',
    ]);
    expect(() => promqlNames('sum by (app) rate(x[5m]')).toThrow('not PromQL');
  });

  it('says of every alert what to do: in itself, and at more length in its section of docs/incidents.md', () => {
    const rules = alertRules();
    expect(new Map(rules.map(({ alert, annotations }) => [alert, annotations.runbook_url]))).toEqual(
      incidentSections(),
    );
    for (const { annotations } of rules) expect(annotations.description.length).toBeGreaterThan(80);
  });

  it('finds the apps by the names that the alerts and dashboards go by', () => {
    expect(scrapedJobs()).toEqual(expect.arrayContaining([...apps]));
  });

  it('explains every panel, and asks the one data source that is provisioned', () => {
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

  it('is all there when the compose file starts it', () => {
    expect(mountsOf('prometheus').get('/etc/prometheus')).toBe('./deploy/prometheus');
    expect(mountsOf('grafana').get('/etc/grafana/provisioning')).toBe('./deploy/grafana/provisioning');
    expect(mountsOf('grafana').get(dashboardsFolder())).toBe('./deploy/grafana/dashboards');
  });
});
