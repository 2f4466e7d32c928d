import { expect, it } from 'vitest';
import { objects, workloads } from './example.ts';
import { environmentOf, settingsOfImages } from './settings-of.ts';

const limits: Readonly<Record<string, readonly string[]>> = {
  landing: ['CONNECTIONS_PER_ADDRESS', 'LEAD_BURST', 'LEAD_RATE', 'LEAD_SPOOL_MAX_MB'],
  api: ['BACKUPS_KEPT_DAYS', 'CAMPAIGNS_PER_DAY', 'CONNECTIONS_PER_ADDRESS'],
  'feedback-worker': [],
  console: ['CONNECTIONS_PER_ADDRESS'],
  operator: ['BACKUPS_KEPT_DAYS'],
};
const isOther = (name: string) => name.endsWith('PORT') || /^(TRUST_PROXY|OTEL_.*)$/.test(name);

it.each(Object.entries(limits))(
  'an overlay can change every limit of %s, which otherwise has the default of the app',
  (name, names) => {
    const workload = workloads.find((one) => one.name === name && one.kind === 'Deployment');
    const schema = settingsOfImages[`leadback-${name}`];
    if (!workload || !schema) throw new Error(`no deployment is called ${name}`);
    const limitsIn = (environment: Readonly<Record<string, string | undefined>>) =>
      Object.entries(schema.parse(environment)).filter(([key, value]) => typeof value === 'number' && !isOther(key));
    const environment = environmentOf(workload, objects);
    const without = Object.fromEntries(Object.entries(environment).filter(([key]) => !names.includes(key)));

    expect(limitsIn(environment)).toEqual(limitsIn(without));
    expect(
      limitsIn(environment)
        .map(([key]) => key)
        .toSorted(),
    ).toEqual(names);
    const fromMap = workload.container.env.filter(({ valueFrom }) => valueFrom?.configMapKeyRef !== undefined);
    expect(fromMap.map(({ name: key }) => key)).toEqual(expect.arrayContaining([...names]));
  },
);
