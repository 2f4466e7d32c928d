import { expect, it } from 'vitest';
import { playableApps, playableJob, secret } from './playable.ts';

const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'x', env: [{ name: 'A', value: '1' }] }] },
};
const objects = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', labels: {} } },
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', labels: {} }, spec: { replicas: 1, template } },
  { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate', labels: { job: 'y' } }, spec: { template } },
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x', labels: {} } },
];
const spec = { hostNetwork: true, containers: [{ name: 'x', env: [{ name: 'A', value: '1' }] }] };

it('deployments get the network of the host and more variables, and what podman does not play is left out', () => {
  expect(playableApps(objects, { B: '2' })).toMatchObject([
    { kind: 'ConfigMap' },
    {
      kind: 'Deployment',
      spec: {
        replicas: 1,
        template: { spec: { hostNetwork: true, containers: [{ env: [{ name: 'A' }, { name: 'B', value: '2' }] }] } },
      },
    },
  ]);
});

it('a job becomes a pod of its template', () => {
  expect(playableJob(objects, 'migrate')).toEqual([
    objects[0],
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'migrate', labels: { job: 'y' } }, spec },
  ]);
  expect(() => playableJob(objects, 'other')).toThrow('there is no job other');
});

it('a secret has its values in base64', () => {
  expect(secret('s', { key: 'value' })).toMatchObject({ kind: 'Secret', data: { key: 'dmFsdWU=' } });
});
