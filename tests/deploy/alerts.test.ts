import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPromtool } from '@leadback/local-stack';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type AlertScenario, alertScenarios } from './alert-scenarios.ts';
import { goodDay } from './good-day.ts';
import { alertRules } from './watch-files.ts';

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus');

/** A scenario as promtool reads it. */
const unitTest = ({ what, series, rings }: AlertScenario) => ({
  name: what,
  interval: '1m',
  input_series: Object.entries({ ...goodDay, ...series }).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    {
      expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: '1h',
      exp_samples: rings.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    },
  ],
});

describe('the alerts', () => {
  let temporaryFolder: string;
  let promtool: (...args: string[]) => Promise<string>;

  beforeAll(async () => {
    temporaryFolder = await mkdtemp(join(inject('temporaryFolder'), 'promtool-'));
    const path = await findPromtool(temporaryFolder);
    promtool = async (...args) => {
      // what it finds wrong is told on both
      const { stdout, stderr } = await promisify(execFile)(path, args);
      return stdout + stderr;
    };
  }, 120_000);

  it('are taken by Prometheus, with all else that it is told', async () => {
    expect(await promtool('check', 'config', join(folder, 'prometheus.yml'))).toContain('SUCCESS');
  });

  it('ring when they should, each by itself, and not when all is well', async () => {
    const file = join(temporaryFolder, 'alerts.json');
    const tests = alertScenarios.map(unitTest);
    await writeFile(
      file,
      JSON.stringify({ rule_files: [join(folder, 'alerts.yml')], evaluation_interval: '1m', tests }),
    );
    expect(await promtool('test', 'rules', file)).toContain('SUCCESS');
  });

  it('are all tried', () => {
    const tried = new Set(alertScenarios.flatMap(({ rings }) => rings));
    expect(tried).toEqual(new Set(alertRules().map(({ alert }) => alert)));
  });
});
