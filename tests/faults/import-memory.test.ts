import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenPartner } from '../support/given-partner.ts';
import { givenStack, type TestStack } from '../support/given-stack.ts';
import { footprintIn } from '../support/metrics.ts';

const rows = 500_000;
const growthMaxMb = 200;

async function* file() {
  yield Buffer.from('conversionExternalReference,clientExternalReference,amount,currency\n');
  for (let row = 0; row < rows; row += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, index) => `order-${row + index},customer-${index},149.90,USD\n`);
    yield Buffer.from(lines.join(''));
  }
}

describe('the memory of an api', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await givenStack();
  }, 120_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  it('stays flat while a file of 500,000 rows is stored and its result is read', async () => {
    const api = await stack.start('api');
    const { key } = await givenPartner(stack);
    const headers = { 'x-api-key': key, 'content-type': 'text/csv' };
    let highestMb = 0;
    const sample = async () => {
      highestMb = Math.max(highestMb, footprintIn(await api.metrics()).memoryMb);
    };
    const sampling = setInterval(() => void sample().catch(() => {}), 200);
    const url = `${stack.apiUrl}/import`;
    // a dry run: it registers nothing while the result is read
    const sent = await fetch(`${url}?of=conversion&dryRun=true`, {
      method: 'POST',
      headers,
      body: file(),
      duplex: 'half',
    });
    expect(await sent.json()).toMatchObject({ id: 1, state: 'pending' });
    const result = await fetch(`${url}/1/result.csv`, { headers });
    let newlines = 0;
    for await (const chunk of result.body ?? []) for (const byte of chunk) if (byte === 0x0a) newlines += 1;
    clearInterval(sampling);
    expect(newlines).toBe(rows + 1);
    expect(highestMb - api.atStart.memoryMb).toBeLessThan(growthMaxMb);
  }, 180_000);
});
