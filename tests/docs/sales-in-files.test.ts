import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Conversion } from '@leadback/db';
import { givenClient } from '@leadback/testing';
import { findInterpreter } from '@leadback/testing/stack';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { codeBlocks } from '../support/code-blocks.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { givenUnreliableProxy } from '../support/unreliable-proxy.ts';

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

const withoutIds = (text: string): unknown => JSON.parse(text.replaceAll(/"leadId": ?\d+/g, '"leadId":0'));
const withoutRecordIds = (text: string) => text.replaceAll(/,"created",\d+,/g, ',"created",ID,');

describe('the samples about batches and files', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await givenStack();
    await stack.start('api');
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  /** Stores the samples in a folder, and runs them there. The first client of `orders.json` exists. */
  const givenSamples = async () => {
    const folder = await mkdtemp(join(inject('temporaryFolder'), 'sample-'));
    for (const { name = '', code } of codeBlocks('docs/sales-in-files.md').filter((block) => block.name)) {
      await writeFile(join(folder, name), code.replaceAll('2026-11-21', yesterday));
    }
    const partner = await givenPartner(stack);
    await givenClient(stack.database.em(), { account: partner.account, externalReference: 'customer-1042' });
    const run = (command: string, args: string[], apiUrl = stack.apiUrl) =>
      new Promise<{ out: string; err: string }>((resolve, reject) => {
        const env = { ...process.env, LEADBACK_URL: apiUrl, LEADBACK_KEY: partner.key };
        execFile(command, args, { env, cwd: folder }, (error, out, err) =>
          error ? reject(error) : resolve({ out, err }),
        );
      });
    const stored = () => stack.database.em().find(Conversion, { account: partner.account });
    return { run, stored };
  };

  it('dry-run.sh returns the outcomes that the document shows and registers nothing', async () => {
    await findInterpreter('curl');
    const { run, stored } = await givenSamples();
    const { out } = await run('/bin/sh', ['dry-run.sh']);
    const shown: unknown = JSON.parse(
      codeBlocks('docs/sales-in-files.md').find(({ code }) => code.includes('"results"'))?.code ?? '',
    );
    expect(withoutIds(out)).toEqual(withoutIds(JSON.stringify(shown)));
    expect(await stored()).toEqual([]);
  });

  it('batch.mjs registers a batch once although a response is lost, and prints what was refused', async () => {
    const { run, stored } = await givenSamples();
    await using proxy = await givenUnreliableProxy(stack.apiUrl);
    const { out, err } = await run(process.execPath, ['batch.mjs', 'orders.json'], proxy.url);
    expect(out).toContain('repeated: 1');
    expect(err).toContain('order-8732 refused no client matches clientExternalReference or email');
    expect(await stored()).toMatchObject([{ externalReference: 'order-8731', amount: '149.90' }]);
  });

  it('import.sh imports a file and prints the result that the document shows', async () => {
    await findInterpreter('curl');
    const { run, stored } = await givenSamples();
    const { out } = await run('/bin/sh', ['import.sh']);
    const shown = codeBlocks('docs/sales-in-files.md').find(({ code }) => code.includes(',"outcome","id","message"'));
    expect(withoutRecordIds(out)).toContain(withoutRecordIds((shown?.code ?? '').replaceAll('2026-11-21', yesterday)));
    expect(out).toContain('"state":"done"');
    expect(await stored()).toMatchObject([{ externalReference: 'order-9001', amount: '149.90' }]);
  });
});
