import { describe, expect, it } from 'vitest';
import { type KubernetesObject, rendered } from './rendered.ts';
import { schemaViolations } from './schema-violations.ts';

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
  it('all manifests match the schemas of Kubernetes and KEDA', async () => {
    const objects = [...(await rendered('base')), ...(await rendered('overlays/example'))];
    expect(await schemaViolations(objects)).toBe('');
  });

  it('the schema check finds unknown fields and invalid values', async () => {
    const unknown = [deployment({ replica: 3 }), scaledObject({ minReplicas: 2 })];
    const violations = await schemaViolations(unknown);
    expect(violations).toContain(`'"replica"' does not exist`);
    expect(violations).toContain(`'"minReplicas"' does not exist`);
    expect(await schemaViolations([scaledObject({ maxReplicaCount: 1.5 })])).toContain('maxReplicaCount');
  });
});
