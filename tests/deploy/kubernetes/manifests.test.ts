import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMetrics } from '@leadback/server/app';
import { operationsApp, serve } from '@leadback/server/http';
import { freePort, localUrl } from '@leadback/testing/stack';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { settingsSchema as api } from '../../../apps/api/src/settings.ts';
import { settingsSchema as console } from '../../../apps/console/src/settings.ts';
import { settingsSchema as feedbackWorker } from '../../../apps/feedback-worker/src/settings.ts';
import { settingsSchema as landing } from '../../../apps/landing/src/settings.ts';
import { commands } from '../../../apps/operator/src/commands/index.ts';
import { settingsSchema as operator } from '../../../apps/operator/src/settings.ts';
import { defaultPorts, excludedNetworks } from '../../../packages/platforms/src/webhook-address.ts';
import { root } from '../../support/code-blocks.ts';
import {
  apps,
  environmentOf,
  namedSettingsOf,
  type KubernetesObject,
  objects,
  ofKind,
  rendered,
  secrets,
  specOf,
  workloads,
  workloadsOf,
} from './manifests.ts';

const page = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8');
const textRecord = z.record(z.string(), z.string());

const moduleOf = ({ apiVersion, kind }: KubernetesObject) =>
  `${apiVersion.startsWith('keda.sh/') ? '@kubernetes-models/keda' : 'kubernetes-models'}/${apiVersion}/${kind}`;
const checkOf = (object: KubernetesObject, index: number) => `
import { ${object.kind} as Kind${index}, type I${object.kind} as Type${index} } from '${moduleOf(object)}';
const object${index}: Type${index} = ${JSON.stringify(object)};
new Kind${index}(object${index}).validate();`;
const failure = z.object({ stdout: z.string(), stderr: z.string() });
const outputOnFailure = (file: string, args: readonly string[]): Promise<string> =>
  promisify(execFile)(file, args).then(
    () => '',
    (error: unknown) => Object.values(failure.parse(error)).join(''),
  );

/**
 * The schema violations of these objects; empty if there are none. Written as a program, the objects are checked by the
 * compiler, which finds unknown fields, and then by the schemas' validators.
 */
const schemaViolations = async (checked: readonly KubernetesObject[]): Promise<string> => {
  const folder = await mkdtemp(join(inject('temporaryFolder'), 'kubernetes-'));
  const file = join(folder, 'objects.ts');
  const configuration = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { types: [] },
    files: ['objects.ts'],
  };
  await symlink(join(root, 'tests', 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  await writeFile(file, checked.map(checkOf).join('\n'));
  const types = await outputOnFailure(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder]);
  return types === '' ? await outputOnFailure(process.execPath, [file]) : types;
};
it('all manifests match the schemas of Kubernetes and KEDA', async () => {
  expect(await schemaViolations([...(await rendered('base')), ...objects])).toBe('');
});

describe('pods', () => {
  it('every pod runs without privileges', () => {
    for (const { spec, container } of workloads) {
      const account = ofKind('ServiceAccount').find(({ metadata }) => metadata.name === spec.serviceAccountName);
      expect(account).toMatchObject({ automountServiceAccountToken: false });
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
    }
  });

  const schemas: Readonly<Record<string, z.ZodObject>> = {
    api,
    console,
    'feedback-worker': feedbackWorker,
    landing,
    operator,
  };

  it.each(workloads)(
    'the pod of $name gets all required settings, and no secrets but those that its image reads',
    (workload) => {
      const [, image = ''] = /\/leadback-([^/:]+):/.exec(workload.container.image) ?? [];
      const named = namedSettingsOf(workload);
      expect(Object.keys(schemas[image]?.shape ?? {})).toEqual(expect.arrayContaining(Object.keys(named)));
      expect(Object.entries(named).filter(([, value]) => value === undefined)).toEqual([]);
      expect(schemas[image]?.safeParse(environmentOf(workload)).error).toBeUndefined();
    },
  );

  it('only the command migrate connects as leadback_owner, and it gets no key', () => {
    const owners = workloads.filter((one) => environmentOf(one).DATABASE_URL === secrets['leadback-database']?.owner);
    const keyless = workloads.filter((one) => environmentOf(one).SECRETS_KEY === undefined);
    expect(owners.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['Job migrate']);
    expect(keyless).toEqual(owners);
    const words = owners.map(({ container: { command = [] } }) => command.slice(2, 4).join(' '));
    expect(words).toEqual(['database migrate']);
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(words));
  });

  it('each app listens on the ports of its container, and its operations port serves the paths of all probes', async () => {
    const port = await freePort();
    const listener = operationsApp({ metrics: createMetrics('x'), checks: [] });
    await using _server = await serve(listener, { host: '127.0.0.1', port });
    for (const app of apps) {
      const { ports, startupProbe, livenessProbe, readinessProbe } = app.container;
      const { PORT, OPERATIONS_PORT } = environmentOf(app);
      expect(Object.fromEntries(ports.map(({ name, containerPort }) => [name, String(containerPort)]))).toEqual({
        ...(PORT !== undefined && { http: PORT }),
        operations: OPERATIONS_PORT,
      });
      for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
        const path = probe?.httpGet.path;
        expect([path, (await fetch(`${localUrl(port)}${path}`)).status]).toEqual([path, 200]);
      }
    }
  });
});

/** The names of the workloads whose pods have these labels. */
const selected = (wanted: Readonly<Record<string, string>>): string[] =>
  workloads
    .filter(({ metadata }) => Object.entries(wanted).every(([label, value]) => metadata.labels[label] === value))
    .map(({ name }) => name);

describe('what reaches the pods, and what they reach', () => {
  it('each deployment, service and network policy selects existing pods', () => {
    for (const deployment of ofKind('Deployment')) {
      const { selector } = specOf(deployment, { selector: z.object({ matchLabels: textRecord }) });
      expect(selected(selector.matchLabels)).toEqual([deployment.metadata.name]);
    }
    for (const service of ofKind('Service')) {
      const ports = z.tuple([z.object({ name: z.literal('http'), targetPort: z.literal('http') })]);
      expect(selected(specOf(service, { selector: textRecord, ports }).selector)).toEqual([service.metadata.name]);
    }
    const expressions = z.array(z.object({ key: z.string(), values: z.array(z.string()) })).default([]);
    const chosen = ofKind('NetworkPolicy').map((policy) => {
      const { podSelector } = specOf(policy, {
        podSelector: z.object({ matchLabels: textRecord.default({}), matchExpressions: expressions }),
      });
      const { matchLabels, matchExpressions } = podSelector;
      const named = matchExpressions.flatMap(({ key, values }) =>
        values.flatMap((value) => selected({ [key]: value })),
      );
      return [policy.metadata.name, matchExpressions.length > 0 ? named : selected(matchLabels)];
    });
    const all = workloads.map(({ name }) => name);
    expect(Object.fromEntries(chosen)).toEqual({
      nothing: all,
      'to-dns': all,
      'to-postgres': all,
      'to-rabbitmq': ['landing', 'api', 'feedback-worker', 'operator'],
      'to-collector': ['landing', 'api', 'feedback-worker', 'console'],
      'to-platforms': ['api', 'feedback-worker', 'operator', 'console'],
      'from-visitors': ['landing'],
      'from-partners': ['api'],
      'from-people': ['console'],
      'from-prometheus': all,
    });
  });

  const namespace = z.object({ matchLabels: textRecord });

  it('each rule for outgoing connections names its targets, and only that for platforms is open: to the ports and public addresses that a webhook may reach', () => {
    const block = z.strictObject({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()).min(1) }) });
    const pods = z.strictObject({ namespaceSelector: namespace, podSelector: namespace.optional() });
    const rule = z.object({
      ports: z.array(z.object({ port: z.union([z.number(), z.string()]) })).min(1),
      to: z.array(z.union([pods, block])).min(1),
    });
    const open = ofKind('NetworkPolicy').flatMap((policy) =>
      specOf(policy, { egress: z.array(rule).default([]) }).egress.flatMap(({ ports, to }) => {
        const blocks = to.flatMap((target) => ('ipBlock' in target ? [target.ipBlock] : []));
        return blocks.length > 0 ? [{ name: policy.metadata.name, ports: ports.map(({ port }) => port), blocks }] : [];
      }),
    );
    // an exception outside of the block is an error
    const unicast = excludedNetworks.ipv6.filter((network) => /^[23]/.test(network));
    const blocks = [
      { cidr: '0.0.0.0/0', except: excludedNetworks.ipv4 },
      { cidr: '2000::/3', except: unicast },
    ];
    expect(open).toEqual([{ name: 'to-platforms', ports: defaultPorts, blocks }]);
  });

  it('only pods of the ingress controller, which is the only trusted proxy, and of Prometheus reach the apps', () => {
    const source = z.strictObject({ namespaceSelector: namespace });
    const rule = z.object({ ports: z.array(z.object({ port: z.string() })), from: z.tuple([source]) });
    const entries = ofKind('NetworkPolicy').flatMap((policy) => {
      const { ingress } = specOf(policy, { ingress: z.array(rule).default([]) });
      return ingress.map(({ ports, from: [{ namespaceSelector }] }): [string, unknown] => [
        policy.metadata.name,
        [ports.map(({ port }) => port), namespaceSelector.matchLabels['kubernetes.io/metadata.name']],
      ]);
    });
    expect(Object.fromEntries(entries)).toEqual({
      'from-visitors': [['http'], 'ingress'],
      'from-partners': [['http'], 'ingress'],
      'from-people': [['http'], 'ingress'],
      'from-prometheus': [['operations'], 'monitoring'],
    });
    const backend = /"service":\{"name":"(.+?)","port":\{"name":"http"\}\}/g;
    const backends = Array.from(JSON.stringify(ofKind('Ingress')).matchAll(backend), ([, name]) => name);
    const services = ofKind('Service').map(({ metadata }) => metadata.name);
    expect(new Set(backends)).toEqual(new Set(services));
    for (const app of apps) expect(environmentOf(app).TRUST_PROXY).toBe('1');
  });

  it('the documented max_connections suffices for all pods and their replacements', () => {
    const limits = [
      ...ofKind('HorizontalPodAutoscaler').map((one) => specOf(one, { maxReplicas: z.number() }).maxReplicas),
      ...ofKind('ScaledObject').map((one) => specOf(one, { maxReplicaCount: z.number() }).maxReplicaCount),
    ];
    const others = workloads.filter((workload) => !apps.includes(workload));
    const pods = limits.reduce((sum, max) => sum + max + 1, others.length);
    const [, documented] = /`max_connections` of (\d+)/.exec(page) ?? [];
    // the formula of docs/production.md
    expect(Number(documented)).toBeGreaterThan(pods * 10 + 20);
  });
});

const matches = (selector: string, { metadata }: KubernetesObject): boolean => {
  const [, key = '', relation, values = ''] = /^([\w./-]+)(=| notin )\(?([^)]+)\)?$/.exec(selector) ?? [];
  if (key === '') throw new Error(`cannot read the selector ${selector}`);
  return values.split(/, ?/).includes(metadata.labels[key] ?? '') === (relation === '=');
};
const nameOf = ({ kind, metadata: { name } }: KubernetesObject) => `${kind} ${name}`;

describe('the documented steps that apply a version', () => {
  const [, loop = ''] = /for app in ([a-z -]+); do\n +kubectl apply /.exec(page) ?? [];
  const selectors = Array.from(page.matchAll(/^ *kubectl apply -k \. -l (?:'([^']+)'|(\S+))/gm), ([, quoted, bare]) => {
    const selector = quoted ?? bare ?? '';
    return selector.includes('$app') ? loop.split(' ').map((app) => selector.replace('$app', app)) : [selector];
  }).flat();
  const steps = selectors.map((selector) => objects.filter((object) => matches(selector, object)));

  it('the documented steps apply every object once: first the schema and all network policies, then feedback-worker, api, landing and console', () => {
    expect(steps.flat().map(nameOf).toSorted()).toEqual(objects.map(nameOf).toSorted());
    expect(steps.map((step) => new Set(workloadsOf(step).map(({ name }) => name)))).toEqual([
      new Set(['migrate', 'operator']),
      ...['feedback-worker', 'api', 'landing', 'console'].map((app) => new Set([app])),
    ]);
    expect(steps[0]?.map(nameOf)).toEqual(expect.arrayContaining(ofKind('NetworkPolicy').map(nameOf)));
  });

  it('each documented step applies or finds the objects that it refers to', () => {
    const references = {
      ConfigMap: /"configMap(?:Key)?Ref":\{[^}]*?"name":"([^"]+)"/g,
      Namespace: /"namespace":"([^"]+)"/g,
      PersistentVolumeClaim: /"claimName":"([^"]+)"/g,
      ServiceAccount: /"serviceAccountName":"([^"]+)"/g,
      TriggerAuthentication: /"authenticationRef":\{"name":"([^"]+)"/g,
    };
    const there = new Set<string>();
    for (const step of steps) {
      for (const object of step) there.add(nameOf(object));
      for (const [kind, pattern] of Object.entries(references)) {
        const needed = Array.from(JSON.stringify(step).matchAll(pattern), ([, name]) => `${kind} ${name}`);
        expect(needed.filter((name) => !there.has(name))).toEqual([]);
      }
    }
    const all = JSON.stringify(objects);
    for (const pattern of Object.values(references)) expect(all).toMatch(pattern);
  });
});
