import { z } from 'zod';
import { type KubernetesObject, rendered } from './rendered.ts';
import { type Workload, workloadsOf } from './workloads.ts';

/** The objects of the example overlay. */
export const objects: readonly KubernetesObject[] = await rendered('overlays/example');
export const workloads: readonly Workload[] = workloadsOf(objects);
/** landing, api and feedback-worker: the workloads with ports. */
export const apps: readonly Workload[] = workloads.filter(({ container }) => container.ports.length > 0);

export const ofKind = (kind: string): KubernetesObject[] => objects.filter((object) => object.kind === kind);

export const specOf = <Shape extends z.ZodRawShape>({ spec }: KubernetesObject, shape: Shape) =>
  z.object(shape).parse(spec);

export const labelsOf = (selector: unknown): Record<string, string> =>
  z.object({ matchLabels: z.record(z.string(), z.string()) }).parse(selector).matchLabels;

/** The names of the workloads whose pods have these labels. */
export const selected = (wanted: Readonly<Record<string, string>>): string[] =>
  workloads
    .filter(({ metadata }) => Object.entries(wanted).every(([label, value]) => metadata.labels[label] === value))
    .map(({ name }) => name);
