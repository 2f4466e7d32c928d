import { operationsApp, serve } from '@leadback/server/http';
import { freePort, localUrl } from '@leadback/testing/stack';
import { createMetrics } from '@leadback/server/app';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../apps/operator/src/commands/index.ts';
import { drainSeconds } from './drain-seconds.ts';
import { apps, objects, ofKind, workloads } from './example.ts';
import { environmentOf, secrets, settingsOfImages } from './settings-of.ts';
import type { Workload } from './workloads.ts';

const imageOf = ({ container }: Workload) => /\/([^/:]+):/.exec(container.image)?.[1] ?? container.image;
const isOwner = (workload: Workload) =>
  environmentOf(workload, objects).DATABASE_URL === secrets['leadback-database']?.owner;
const named = (all: readonly Workload[]) => all.map((workload) => [workload.name, workload] as const);

describe('every pod', () => {
  it.each(named(workloads))('the pod of %s runs without privileges', (_name, { spec, container }) => {
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.any(Number),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const account = ofKind('ServiceAccount').find(({ metadata }) => metadata.name === spec.serviceAccountName);
    expect(account).toMatchObject({ automountServiceAccountToken: false });
  });

  it.each(named(workloads))(
    'the pod of %s gets all required settings, and only those that its image reads',
    (_name, workload) => {
      const schema = settingsOfImages[imageOf(workload)];
      const environment = environmentOf(workload, objects);
      expect(Object.keys(schema?.shape ?? {})).toEqual(expect.arrayContaining(Object.keys(environment)));
      expect(Object.entries(environment).filter(([, value]) => value === undefined)).toEqual([]);
      expect(schema?.safeParse(environment).error).toBeUndefined();
    },
  );

  it('jobs run existing operator commands', () => {
    const words = workloads.flatMap(({ container: { command = [] } }) =>
      command[1] === 'dist/main.js' ? [command.slice(2, 4).join(' ')] : [],
    );
    expect(words).toEqual(['retention apply', 'database migrate']);
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(words));
  });

  it('retention and migrate get no key', () => {
    const holders = workloads.filter((workload) => environmentOf(workload, objects).SECRETS_KEY !== undefined);
    expect(holders.map(({ name }) => name)).toEqual(['api', 'console', 'feedback-worker', 'landing', 'operator']);
  });

  it('only retention and migrate connect as leadback_owner', () => {
    expect(workloads.filter(isOwner).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'CronJob retention',
      'Job migrate',
    ]);
  });
});

describe('an app', () => {
  it.each(named(apps))('%s listens on the ports of its container and probes', (_name, app) => {
    const { container } = app;
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, String(containerPort)]));
    const { PORT, OPERATIONS_PORT } = environmentOf(app, objects);
    expect(ports).toEqual({ ...(PORT !== undefined && { http: PORT }), operations: OPERATIONS_PORT });
    const { startupProbe, livenessProbe, readinessProbe } = container;
    for (const probe of [startupProbe, livenessProbe, readinessProbe]) expect(probe?.httpGet.port).toBe('operations');
  });

  it('the operations port serves every path of the probes', async () => {
    const port = await freePort();
    const listener = operationsApp({ metrics: createMetrics('x'), checks: [] });
    await using _server = await serve(listener, { host: '127.0.0.1', port });
    const paths = apps.flatMap(({ container: { startupProbe, livenessProbe, readinessProbe } }) =>
      [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet.path),
    );
    for (const path of new Set(paths)) {
      expect([path, (await fetch(localUrl(port) + path)).status]).toEqual([path, 200]);
    }
  });

  it.each(named(apps))('%s has enough time to shut down gracefully', (name, { spec, container }) => {
    const preStop = container.lifecycle?.preStop.sleep.seconds ?? 0;
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(preStop + (drainSeconds[name] ?? Infinity));
  });
});
