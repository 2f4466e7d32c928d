import { describe, expect, it } from 'vitest';
import { type KubernetesObject, rendered } from './rendered.ts';
import { troublesWithSchemas } from './troubles-with-schemas.ts';

const deployment = (spec: object): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x', labels: {} },
  spec: { selector: { matchLabels: {} }, template: { spec: { containers: [] } }, ...spec },
});

const scaledObject = (spec: object): KubernetesObject => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name: 'x', labels: {} },
  spec: { scaleTargetRef: { name: 'x' }, triggers: [], ...spec },
});

describe('what is applied to a cluster', () => {
  it('fits the schemas of Kubernetes and KEDA, field by field', async () => {
    const objects = [...(await rendered('base')), ...(await rendered('overlays/example'))];
    expect(await troublesWithSchemas(objects)).toBe('');
  });

  it('would be found out if it did not', async () => {
    const unknown = [deployment({ replica: 3 }), scaledObject({ minReplicas: 2 })];
    const troubles = await troublesWithSchemas(unknown);
    expect(troubles).toContain(`'"replica"' does not exist`);
    expect(troubles).toContain(`'"minReplicas"' does not exist`);
    expect(await troublesWithSchemas([scaledObject({ maxReplicaCount: 1.5 })])).toContain('maxReplicaCount');
  });
});
