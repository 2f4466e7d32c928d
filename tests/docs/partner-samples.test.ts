import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Conversion } from '@leadback/db';
import { givenLandingPage } from '@leadback/testing';
import { findInterpreter } from '@leadback/testing/stack';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { codeBlocks } from '../support/code-blocks.ts';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { givenUnreliableProxy } from '../support/unreliable-proxy.ts';

const samples = [
  { name: 'leadback.sh', interpreter: () => Promise.resolve('/bin/sh'), needs: 'curl' },
  { name: 'leadback.mjs', interpreter: () => Promise.resolve(process.execPath), needs: undefined },
  { name: 'leadback.py', interpreter: () => findInterpreter('python3'), needs: undefined },
  { name: 'leadback.php', interpreter: () => findInterpreter('php'), needs: undefined },
] as const;

const browser = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0';

describe('the samples of the integration guide', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await givenStack();
    await Promise.all([stack.start('landing'), stack.start('api')]);
  });
  afterAll(async () => {
    await stack[Symbol.asyncDispose]();
  });

  it.concurrent.each(samples)(
    '$name registers a client and a conversion once despite failures, also if it runs again after a day, and prints the error for a damaged reference',
    async (sample) => {
      const { name, interpreter, needs } = sample;
      if (needs) await findInterpreter(needs);
      const partner = await givenPartner(stack);
      await using proxy = await givenUnreliableProxy(stack.apiUrl);
      const file = join(await mkdtemp(join(inject('temporaryFolder'), 'sample-')), name);
      const [block] = codeBlocks('docs/partner.md').filter((one) => one.name === name);
      await writeFile(file, block?.code ?? '');
      const command = await interpreter();
      const run = (apiUrl: string, arrivedAt: string) =>
        new Promise<{ status: unknown; out: string; err: string }>((resolve) => {
          const env = { ...process.env, LEADBACK_URL: apiUrl, LEADBACK_KEY: partner.key };
          execFile(command, [file, arrivedAt], { env }, (error, out, err) =>
            resolve({ status: error?.code ?? 0, out, err: err + out }),
          );
        });

      const em = stack.database.em();
      const { slug } = await givenLandingPage(em, {
        account: partner.account,
        mode: 'direct',
        targetUrl: 'https://shop.example/offer?a=1',
      });
      const click = await fetch(`${stack.landingUrl}/${slug}?gclid=G1`, {
        redirect: 'manual',
        headers: { 'user-agent': browser },
      });

      const damaged = await run(stack.apiUrl, 'https://shop.example/offer?serviceId=Zk3vT9qLm2XcB7nRw5YdHs');
      expect(damaged.status).not.toBe(0);
      expect(damaged.err).toContain('leadReference: not a reference that we issued');

      const arrivedAt = click.headers.get('location') ?? '';
      const { status, out, err } = await run(proxy.url, arrivedAt);
      expect({ status, err }).toEqual({ status: 0, err: expect.any(String) });
      const clients = await em.find(Client, { account: partner.account });
      const conversions = await em.find(Conversion, { account: partner.account });
      expect(clients).toHaveLength(1);
      expect(conversions).toMatchObject([{ externalReference: 'order-8731', amount: '149.90' }]);
      expect(out).toContain(String(clients[0]?.id));
      expect(out).toContain(String(conversions[0]?.id));
      expect(out).toContain('leadId');

      // a day later, the Idempotency-Key is forgotten
      await stack.database.pool.query('delete from idempotency_record where account_id = $1', [partner.account.id]);
      const repeated = await run(stack.apiUrl, arrivedAt);
      expect(repeated).toMatchObject({ status: 0, out: expect.stringMatching(/isRepeated\W+true/i) });
      expect(repeated.out).toMatch(new RegExp(`\\bid\\W+${conversions[0]?.id}\\b`));
      expect(await em.count(Conversion, { account: partner.account })).toBe(1);
    },
  );
});
