import { z } from 'zod';
import type { KubernetesObject } from './rendered.ts';

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const reference = z.object({ name: z.string(), key: z.string() });

const containerSchema = z.object({
  name: z.string(),
  image: z.string(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  env: z.array(
    z.object({
      name: z.string(),
      value: z.string().optional(),
      valueFrom: z.object({ configMapKeyRef: reference.optional(), secretKeyRef: reference.optional() }).optional(),
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

const podSchema = z.object({
  serviceAccountName: z.string(),
  automountServiceAccountToken: z.boolean(),
  terminationGracePeriodSeconds: z.number().default(30),
  securityContext: z.unknown(),
  topologySpreadConstraints: z.array(z.object({ labelSelector: z.unknown() })).default([]),
  containers: z.tuple([containerSchema]),
});

const templateSchema = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: podSchema,
});

const templated = z.object({ spec: z.object({ template: templateSchema }) });

/** A deployment, job or cron job with one container. */
export interface Workload extends z.infer<typeof templateSchema> {
  readonly kind: string;
  readonly name: string;
  readonly container: z.infer<typeof containerSchema>;
}

export const workloadsOf = (objects: readonly KubernetesObject[]): Workload[] =>
  objects.flatMap((object) => {
    const { kind, metadata } = object;
    if (!['Deployment', 'Job', 'CronJob'].includes(kind)) return [];
    const holder = kind === 'CronJob' ? z.object({ jobTemplate: z.unknown() }).parse(object.spec).jobTemplate : object;
    const { template } = templated.parse(holder).spec;
    return [{ ...template, kind, name: metadata.name, container: template.spec.containers[0] }];
  });
