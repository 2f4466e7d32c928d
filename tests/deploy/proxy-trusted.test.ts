import { settingsSchema as ofApi } from '../../apps/api/src/settings.ts';
import { settingsSchema as ofConsole } from '../../apps/console/src/settings.ts';
import { settingsSchema as ofLanding } from '../../apps/landing/src/settings.ts';
import { parseEnv } from '@leadback/server/app';
import { expect, it } from 'vitest';
import { secretsKey } from '@leadback/testing';

const env = {
  DATABASE_URL: 'postgres:///leadback?host=/run/postgresql',
  AMQP_URL: 'amqp://127.0.0.1/leadback',
  SECRETS_KEY: secretsKey.toString('base64'),
};

it.each([
  { app: 'landing', schema: ofLanding, name: 'LANDING_URL' },
  { app: 'api', schema: ofApi, name: 'API_URL' },
  { app: 'console', schema: ofConsole, name: 'CONSOLE_URL' },
])('$app refuses to start if its public URL is https and TRUST_PROXY is not set', ({ schema, name }) => {
  const read = (settings: Readonly<Record<string, string>>) => parseEnv<object>(schema, { ...env, ...settings });
  const refused = new RegExp(`is 0, but ${name} is https, .*such as 1\\.[^]*→ at TRUST_PROXY`);
  expect(read({ [name]: 'https://a.example' })).toMatch(refused);
  expect(read({ [name]: 'HTTPS://a.example', TRUST_PROXY: '0' })).toMatch(refused);
  for (const fine of [{}, { [name]: 'https://a.example', TRUST_PROXY: '1' }, { [name]: 'http://127.0.0.1:3000' }])
    expect(typeof read(fine)).toBe('object');
  // the URL of another app says nothing of the proxies in front of this one
  const others = ['LANDING_URL', 'API_URL', 'CONSOLE_URL'].filter((other) => other !== name);
  expect(typeof read(Object.fromEntries(others.map((other) => [other, 'https://b.example'])))).toBe('object');
});
