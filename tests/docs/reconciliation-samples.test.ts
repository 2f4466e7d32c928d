import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Conversion } from '@leadback/db';
import { givenClient } from '@leadback/testing';
import { findInterpreter } from '@leadback/testing/stack';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { codeBlocks } from '../support/code-blocks.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
// the days of the document, which are too old for Meta and not for Google
const dated = (code: string) => code.replaceAll('2026-10-03', dayAgo(40)).replaceAll('2026-10-28', dayAgo(30));
const blocks = codeBlocks('docs/sales-in-files.md');
const jsonOf = (text: string): unknown => JSON.parse(text);

describe('the samples about reconciliation', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await givenStack();
    await stack.start('api');
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  it('find what is missing in the list of the document, and register it', async () => {
    await findInterpreter('curl');
    const folder = await mkdtemp(join(inject('temporaryFolder'), 'sample-'));
    for (const { name, code } of blocks) if (name !== undefined) await writeFile(join(folder, name), dated(code));
    const partner = await givenPartner(stack);
    const { account, key } = partner;
    const em = stack.database.em();
    await givenClient(em, { account, externalReference: 'customer-1042' });
    const sale = { clientExternalReference: 'customer-1042', currency: 'USD', occurredAt: `${dayAgo(40)}T12:00:00Z` };
    await partner.post('/client/conversion', { ...sale, amount: 149.9, conversionExternalReference: 'order-8731' });
    await partner.post('/client/conversion', { ...sale, amount: 20, conversionExternalReference: 'order-8700' });
    const run = (...args: string[]) =>
      new Promise<string>((resolve, reject) => {
        const env = { ...process.env, LEADBACK_URL: stack.apiUrl, LEADBACK_KEY: key };
        execFile('/bin/sh', args, { env, cwd: folder }, (error, out) => (error ? reject(error) : resolve(out)));
      });

    const [found = '', tried = ''] = (await run('reconcile.sh', 'october.csv', dayAgo(45), dayAgo(15))).split('\n');
    const counts = { matched: 1, missing: 1, missingWithoutClient: 1, extra: 1, undelivered: 1, refused: 0 };
    expect(jsonOf(found)).toMatchObject({ id: expect.any(Number), counts });
    const shown = jsonOf(blocks.find(({ code }) => code.includes('"tooOld"'))?.code ?? '{}');
    expect(jsonOf(tried)).toEqual({ ...Object(shown), dryRun: true });
    const [, ...rows] = (await readFile(join(folder, 'result.csv'), 'utf8')).trimEnd().split('\n');
    expect(rows).toHaveLength(4);
    expect(rows[1]).toContain('"order-8733","80.00","USD",');

    const [, id = ''] = /"id":(\d+)/.exec(found) ?? [];
    expect(jsonOf(await run('replay.sh', id))).toEqual(shown);
    const stored = await em.find(Conversion, { account, externalReference: 'order-8733' });
    expect(stored).toMatchObject([{ occurredAt: new Date(`${dayAgo(30)}T18:20:00-03:00`) }]);
  });
});
