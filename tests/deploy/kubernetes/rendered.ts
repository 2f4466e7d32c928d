import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { kubectl } from './kubectl.ts';

const execute = promisify(execFile);
/** The folder of base and overlays. */
const manifests = join(import.meta.dirname, '..', '..', '..', 'deploy', 'kubernetes');

const labels = z.record(z.string(), z.string()).default({});

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional(), labels }),
});

export type KubernetesObject = z.infer<typeof objectSchema>;

/** The objects that `kubectl apply -k` would apply. */
export const rendered = async (kustomization: 'base' | 'overlays/example'): Promise<KubernetesObject[]> => {
  const { stdout } = await execute(await kubectl(), ['kustomize', join(manifests, kustomization)]);
  return parseAllDocuments(stdout).map((document) => objectSchema.parse(document.toJS()));
};
