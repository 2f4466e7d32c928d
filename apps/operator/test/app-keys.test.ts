import { randomBytes } from 'node:crypto';
import { parseEnv } from 'node:util';
import { secretsKeysSchema, writeAppKeys } from '@leadback/domain/keys';
import { describe, expect, it } from 'vitest';
import { givenOperator } from './given-operator.ts';

const keys = [randomBytes(32), randomBytes(32)] as const;
const env = { DATABASE_URL: '', SECRETS_KEY: keys.map((key) => key.toString('base64')).join(',') };

describe('secrets keys', () => {
  it('prints lines for .env with the keys of each app, without a database', async () => {
    await using operator = await givenOperator();
    const { status, out } = await operator.type('secrets keys', env);
    expect(status).toBe(0);
    expect(parseEnv(out)).toEqual({
      LANDING_SECRETS_KEY: writeAppKeys(keys, 'landing'),
      API_SECRETS_KEY: writeAppKeys(keys, 'api'),
      FEEDBACK_WORKER_SECRETS_KEY: writeAppKeys(keys, 'feedback-worker'),
      CONSOLE_SECRETS_KEY: writeAppKeys(keys, 'console'),
    });
    const { out: one } = await operator.type('secrets keys --app landing', env);
    expect(secretsKeysSchema('landing').safeParse(one).success).toBe(true);
  });

  it('is in the audit log with the apps and without the keys, or says that it is not', async () => {
    await using operator = await givenOperator();
    const noDatabase = await operator.type('secrets keys --app api', env);
    expect(noDatabase).toMatchObject({ status: 0, err: expect.stringContaining('The audit log has no entry') });
    const unreachable = { ...env, DATABASE_URL: 'postgres://leadback_console:x@127.0.0.1:9/leadback' };
    const unreached = await operator.type('secrets keys --app api', unreachable);
    expect(unreached).toMatchObject({ status: 0, err: expect.stringContaining('The audit log has no entry') });
    const reached = await operator.type('secrets keys --app landing', { ...env, DATABASE_URL: operator.database.url });
    expect(reached).toMatchObject({ status: 0, err: '' });
    const { rows } = await operator.database.pool.query('select actor, action, target, details from audit_entry');
    const actor = expect.stringMatching(/^operator /);
    const details = { apps: ['landing'] };
    expect(rows).toEqual([{ actor, action: 'secrets.printed', target: 'SECRETS_KEY', details }]);
  });

  it('needs the keys of the operator, not those of an app', async () => {
    await using operator = await givenOperator();
    const { status, err } = await operator.type('secrets keys', { SECRETS_KEY: writeAppKeys(keys, 'landing') });
    expect([status, err]).toEqual([1, expect.stringContaining('expected 32 bytes in base64')]);
  });
});
