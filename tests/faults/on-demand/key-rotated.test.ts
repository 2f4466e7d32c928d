import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import { eventually, givenLead, secretsKey, secretsKeys } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { violationsAfter } from '../../support/facts.ts';
import { retriesComeDue } from '../../support/deliveries.ts';
import { givenPorts, givenStack, type TestStack } from '../../support/given-stack.ts';
import { givenLedger } from '../../support/ledger.ts';
import { mainOf } from '../../support/main-of.ts';

const execute = promisify(execFile);
const operator = mainOf('apps/operator');

const fresh = randomBytes(32);
const written = (...keys: readonly Buffer[]) => ({
  secretsKey: keys.map((key) => key.toString('base64')).join(','),
});

const rotate = async ({ database }: TestStack, ...keys: readonly Buffer[]): Promise<unknown> => {
  const env = { ...process.env, DATABASE_URL: database.url, SECRETS_KEY: written(...keys).secretsKey };
  const { stdout } = await execute(process.execPath, [operator, 'secrets', 'rotate', '--json'], { env });
  return JSON.parse(stdout);
};

const attemptsBut = async ({ database }: TestStack, outcome: string): Promise<unknown[]> =>
  (await database.pool.query('select outcome, reason from delivery_attempt where outcome <> $1', [outcome])).rows;

describe('rotation of SECRETS_KEY', () => {
  it('rotates SECRETS_KEY under load without failed deliveries, even with a worker that lacks the new key', async () => {
    await using stack = await givenStack();
    const ledger = await givenLedger(stack, 8);
    const lead = await givenLead(stack.database.em(), { account: (await ledger.join()).account });

    // every app has the new key before anything is encrypted with it
    const api = await stack.start('api', written(secretsKey, fresh));
    const worker = await stack.start('feedback-worker', written(secretsKey, fresh));
    const load = ledger.load(60);
    await load.more(30);
    for (const keys of [
      [fresh, secretsKey],
      [secretsKey, fresh],
      [fresh, secretsKey],
    ]) {
      expect(await rotate(stack, ...keys)).toMatchObject({ resealed: 18, kept: 0 });
      await load.more(30);
    }
    // no app needs the former key
    const last = await stack.start('feedback-worker', {
      ...written(fresh),
      ports: await givenPorts(),
      platformUrl: stack.sandbox.url,
    });
    await worker.stop();
    await load.more(30);
    await load.stop();
    expect(await violationsAfter(stack, ledger)).toEqual([]);
    expect(await attemptsBut(stack, 'delivered')).toEqual([]);

    await api.stop();
    await stack.start('api', written(fresh));
    const post = (leadReference: string, key = '') =>
      fetch(`${stack.apiUrl}/client`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ leadReference }),
      });
    const [owner] = ledger.entries.filter(({ partner: { account } }) => account.id === lead.account.id);
    expect((await post(lead.reference, owner?.partner.key)).status).toBe(201);
    const unknown = issueLeadReference(leadReferenceKeys(secretsKeys));
    expect((await post(unknown, owner?.partner.key)).status).toBe(404);

    // a worker that runs without the new key, and one that would start without it
    await ledger.join();
    await rotate(stack, secretsKey, fresh);
    await last.stop();
    const outdated = await stack.start('feedback-worker');
    await rotate(stack, fresh, secretsKey);
    const sent = await ledger.register(4);
    await eventually(async () => expect(await attemptsBut(stack, 'delivered')).toHaveLength(8));
    expect(sent).toHaveLength(4);
    await outdated.stop();
    await stack.start('feedback-worker', written(fresh));
    await retriesComeDue(stack.database);
    expect(await violationsAfter(stack, ledger)).toEqual([]);
    const { rows } = await stack.database.pool.query(`select from delivery where state <> 'delivered'`);
    expect(rows).toEqual([]);
    await expect(stack.start('feedback-worker', { ports: await givenPorts() })).rejects.toThrow(
      'SECRETS_KEY is not the key of this database',
    );
  });
});
