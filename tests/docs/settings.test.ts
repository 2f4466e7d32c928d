import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { envExample, settings } from '../../scripts/reference/settings.ts';
import { root } from '../support/code-blocks.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('.env.example is as `node scripts/run.mjs reference` writes it', () => {
  expect(read('.env.example')).toBe(envExample());
});

it('copying .env.example changes no default: only what is required is no comment, and has no value', () => {
  const active = read('.env.example')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));
  const required = settings().flatMap(({ name, part }) => (part === 'required' ? [`${name}=`] : []));
  expect(active).toEqual(required);
  expect(required).toEqual(['DATABASE_URL=', 'AMQP_URL=', 'SECRETS_KEY=']);
});

it('names each setting once, with what it does', () => {
  const names = settings().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(settings().filter(({ text }) => text.length < 10)).toEqual([]);
});
