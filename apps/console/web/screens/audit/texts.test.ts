import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { auditTexts } from './texts.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

it('say in each language what every action of the audit log was', () => {
  const sources = globSync(`${root}{apps,packages}/*/src/**/*.ts`).map((path) => readFileSync(path, 'utf8'));
  const written = sources.flatMap((source) => [...source.matchAll(/\baction: '([a-z]+\.[a-z-]+)'/g)]);
  const ofWebhooks = sources.flatMap((source) => [...source.matchAll(/\bwebhookEntry\(\w+, '([a-z-]+)'/g)]);
  expect(ofWebhooks.length).toBeGreaterThan(5);
  const actions = [
    ...new Set([
      ...written.flatMap(([, action]) => action ?? []),
      ...ofWebhooks.flatMap(([, verb]) => (verb === undefined ? [] : `webhook.${verb}`)),
    ]),
  ];
  expect(actions.length).toBeGreaterThan(35);
  for (const { actions: known } of Object.values(auditTexts)) {
    expect(actions.filter((action) => !(action in known))).toEqual([]);
  }
});
