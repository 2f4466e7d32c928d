import { describe, expect, it } from 'vitest';
import { objects, ofKind } from './example.ts';
import type { KubernetesObject } from './rendered.ts';
import { steps } from './steps.ts';
import { workloadsOf } from './workloads.ts';

const nameOf = ({ kind, metadata: { name } }: KubernetesObject) => `${kind} ${name}`;

const references: Readonly<Record<string, RegExp>> = {
  ConfigMap: /"configMap(?:Key)?Ref":\{[^}]*?"name":"([^"]+)"/g,
  Namespace: /"namespace":"([^"]+)"/g,
  PersistentVolumeClaim: /"claimName":"([^"]+)"/g,
  ServiceAccount: /"serviceAccountName":"([^"]+)"/g,
  TriggerAuthentication: /"authenticationRef":\{"name":"([^"]+)"/g,
};

/** The objects that an object refers to. */
const neededBy = (object: KubernetesObject): string[] =>
  Object.entries(references).flatMap(([kind, pattern]) =>
    Array.from(JSON.stringify(object).matchAll(pattern), ([, name]) => `${kind} ${name}`),
  );

describe('applying a version', () => {
  it('the documented steps apply every object exactly once', () => {
    expect(steps.flat().map(nameOf).toSorted()).toEqual(objects.map(nameOf).toSorted());
  });

  it('the documented steps apply the schema first, then feedback-worker, api, landing and console', () => {
    expect(
      steps.map((step) =>
        workloadsOf(step)
          .map(({ name }) => name)
          .toSorted(),
      ),
    ).toEqual([['migrate', 'operator', 'retention'], ['feedback-worker'], ['api'], ['landing'], ['console']]);
  });

  it('each documented step applies or finds the objects that it refers to', () => {
    const there = new Set<string>();
    for (const step of steps) {
      for (const object of step) there.add(nameOf(object));
      const needed = step.flatMap(neededBy);
      expect(needed.filter((name) => !there.has(name))).toEqual([]);
    }
    expect(objects.flatMap(neededBy)).toEqual(
      expect.arrayContaining(['ServiceAccount operator', 'PersistentVolumeClaim landing-leads', 'Namespace leadback']),
    );
  });

  it('the first documented step applies all network policies', () => {
    expect(steps[0]?.map(nameOf)).toEqual(expect.arrayContaining(ofKind('NetworkPolicy').map(nameOf)));
  });
});
