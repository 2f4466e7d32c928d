import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { type AlertScenario, alertScenarios } from './alert-scenarios.ts';
import { goodDay } from './good-day.ts';
import { alertRules } from './monitoring-files.ts';
import { promtool } from './promtool.ts';

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus');

/** A scenario in the format of `promtool test rules`. */
const unitTest = ({ what, series, firing }: AlertScenario) => ({
  name: what,
  interval: '1m',
  input_series: Object.entries({ ...goodDay, ...series }).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: '1h',
      exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    },
  ],
});

describe('the alerts', () => {
  it('Prometheus accepts its configuration and the alert rules', async () => {
    expect(await promtool('check', 'config', join(folder, 'prometheus.yml'))).toContain('SUCCESS');
  });

  it('each alert fires alone in its scenarios, and none fires on a good day', async () => {
    const file = join(await mkdtemp(join(inject('temporaryFolder'), 'alerts-')), 'alerts.json');
    const tests = alertScenarios.map(unitTest);
    await writeFile(
      file,
      JSON.stringify({ rule_files: [join(folder, 'alerts.yml')], evaluation_interval: '1m', tests }),
    );
    expect(await promtool('test', 'rules', file)).toContain('SUCCESS');
  });

  it('every alert has a scenario', () => {
    const tested = new Set(alertScenarios.flatMap(({ firing }) => firing));
    expect(tested).toEqual(new Set(alertRules().map(({ alert }) => alert)));
  });
});
