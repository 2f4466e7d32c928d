import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConversionAdjustment, Delivery } from '@leadback/db';
import { findInterpreter } from '@leadback/testing/stack';
import { givenClient, givenDelivery, secretsKey } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { codeBlocks } from '../support/code-blocks.ts';
import { mainOf } from '../support/main-of.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';

// runs the operator app directly, with the arguments of `npm run operator -- …`
const npm = 'npm() { shift 3; "$NODE" "$OPERATOR" "$@"; }';

const codeOf = (document: string, name: string): string => {
  const block = codeBlocks(document).find((one) => one.name === name);
  if (!block) throw new Error(`${document} has no sample ${name}`);
  return block.code;
};

const run = (command: string, words: readonly string[], env: NodeJS.ProcessEnv) =>
  new Promise<{ status: unknown; out: string; err: string }>((resolve) => {
    execFile(command, words, { env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ status: error?.code ?? 0, out, err }),
    );
  });

describe('the samples about corrections, lists and quality', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await givenStack();
    await stack.start('api');
  });
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
  });

  /** Runs commands of operator-sales.md, for another account. */
  const runOperator = (name: string, ids: Readonly<Record<string, number>>) => {
    const named = codeOf('docs/operator-sales.md', name);
    const code = Object.entries(ids).reduce(
      (text, [words, id]) => text.replaceAll(`${words} 1`, `${words} ${id}`),
      named,
    );
    return run('/bin/sh', ['-ec', `${npm}\n${code}`], {
      NODE: process.execPath,
      OPERATOR: mainOf('apps/operator'),
      DATABASE_URL: stack.database.url,
      SECRETS_KEY: secretsKey.toString('base64'),
    });
  };

  it('adjust.sh restates and retracts an order, and the operator sees it', async () => {
    await findInterpreter('curl');
    const partner = await givenPartner(stack);
    const { account } = partner;
    await givenClient(stack.database.em(), { account, externalReference: 'customer-1042' });
    const order = { clientExternalReference: 'customer-1042', conversionExternalReference: 'order-8731' };
    await partner.post('/client/conversion', { ...order, amount: 149.9, currency: 'USD' });
    const env = { LEADBACK_URL: stack.apiUrl, LEADBACK_KEY: partner.key };
    const adjust = () => run('/bin/sh', ['-ec', codeOf('docs/corrections-and-quality.md', 'adjust.sh')], env);
    const { status, out, err } = await adjust();
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain('"amount":0,"originalAmount":149.9');
    expect((await adjust()).out).toContain('an adjustment with this reference already exists');

    const adjustments = await stack.database.em().find(ConversionAdjustment, { account }, { orderBy: { id: 'asc' } });
    expect(adjustments.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['restate', '99.90'],
      ['retract', '0.00'],
    ]);
    const conversion = adjustments[0]?.conversion.id ?? 0;
    const ids = { '--account': account.id, '--conversion': conversion, 'connection change': partner.meta.id };
    const shown = await runOperator('adjustments', ids);
    expect({ status: shown.status, err: shown.err }).toEqual({ status: 0, err: '' });
    expect(shown.out).toMatch(/refunded USD[^]*149\.90[^]*retract/);
  });

  it('failed-deliveries.mjs prints why deliveries failed, on all pages', async () => {
    const partner = await givenPartner(stack);
    for (let count = 0; count < 60; count += 1) {
      const em = stack.database.em();
      await givenDelivery(em, { connection: partner.google, state: 'failed', reason: `INVALID_VALUE: ${count}` });
    }
    const file = join(await mkdtemp(join(inject('temporaryFolder'), 'sample-')), 'failed-deliveries.mjs');
    await writeFile(file, codeOf('docs/corrections-and-quality.md', 'failed-deliveries.mjs'));
    const env = { LEADBACK_URL: stack.apiUrl, LEADBACK_KEY: partner.key };
    const { status, out, err } = await run(process.execPath, [file], env);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.trim().split('\n')).toHaveLength(60);
    expect(out).toContain('null google INVALID_VALUE: 0\n');
  });

  it('the commands of operator-sales.md print the quality of an account', async () => {
    const partner = await givenPartner(stack);
    const em = stack.database.em();
    const { id } = await givenDelivery(em, { connection: partner.google });
    await em.nativeUpdate(Delivery, { id }, { state: 'skipped', reason: 'no_match_keys', parcelId: null });
    const { status, out, err } = await runOperator('quality', { '--account': partner.account.id });
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain('1 no_match_keys');
  });
});
