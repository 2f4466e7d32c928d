import { z } from 'zod';
import type { KubernetesObject } from '../../../tests/deploy/kubernetes/rendered.ts';

const containerSchema = z.looseObject({ env: z.array(z.unknown()).default([]) });
const templateSchema = z.looseObject({ spec: z.looseObject({ containers: z.tuple([containerSchema]) }) });
const templatedSchema = z.looseObject({ template: templateSchema });

/** Variables that every container gets besides its own. */
export type Additions = Readonly<Record<string, string>>;

const changed = (template: unknown, additions: Additions): object => {
  const { spec, ...rest } = templateSchema.parse(template);
  const [{ ports: _ports, startupProbe: _start, livenessProbe: _live, readinessProbe: _ready, ...container }] =
    spec.containers;
  const added = Object.entries(additions).map(([name, value]) => ({ name, value }));
  // there are no services: on the host's network, pods reach the servers, and this machine the pods. Podman would run probes
  // with a curl of the image
  return {
    ...rest,
    spec: { ...spec, hostNetwork: true, containers: [{ ...container, env: [...container.env, ...added] }] },
  };
};

/** Of what kubectl renders: settings, volumes and deployments, as podman plays them. */
export const playableApps = (objects: readonly KubernetesObject[], additions: Additions): object[] =>
  objects.flatMap((object) => {
    if (object.kind === 'ConfigMap' || object.kind === 'PersistentVolumeClaim') return [object];
    if (object.kind !== 'Deployment') return [];
    const spec = templatedSchema.parse(object.spec);
    return [{ ...object, spec: { ...spec, template: changed(spec.template, additions) } }];
  });

/** The job as a pod, because podman plays no jobs. */
export const playableJob = (objects: readonly KubernetesObject[], name: string): object[] => {
  const job = objects.find(({ kind, metadata }) => kind === 'Job' && metadata.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  const template = changed(templatedSchema.parse(job.spec).template, {});
  const maps = objects.filter(({ kind }) => kind === 'ConfigMap');
  return [...maps, { apiVersion: 'v1', kind: 'Pod', ...template, metadata: { name, labels: job.metadata.labels } }];
};

export interface Secret {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly metadata: { readonly name: string };
  /** In base64. */
  readonly data: Readonly<Record<string, string>>;
}

export const secret = (name: string, values: Readonly<Record<string, string>>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});
