import { objects } from './example.ts';
import { page } from './page.ts';
import type { KubernetesObject } from './rendered.ts';

const [, loop = ''] = /for app in ([a-z -]+); do\n +kubectl apply /.exec(page) ?? [];
const selectors = Array.from(page.matchAll(/^ *kubectl apply -k \. -l (?:'([^']+)'|(\S+))/gm), ([, quoted, bare]) => {
  const selector = quoted ?? bare ?? '';
  return selector.includes('$app') ? loop.split(' ').map((app) => selector.replace('$app', app)) : [selector];
}).flat();

const matches = (selector: string, { metadata: { labels } }: KubernetesObject): boolean => {
  const [, key = '', operator, values = ''] = /^([\w./-]+)(=| notin )\(?([^)]+)\)?$/.exec(selector) ?? [];
  if (key === '') throw new Error(`cannot read the selector ${selector}`);
  return values.split(/, ?/).includes(labels[key] ?? '') === (operator === '=');
};

/** The objects that each step of docs/kubernetes.md applies. */
export const steps: readonly (readonly KubernetesObject[])[] = selectors.map((selector) =>
  objects.filter((object) => matches(selector, object)),
);
