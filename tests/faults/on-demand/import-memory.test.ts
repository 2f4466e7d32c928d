import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenPartner } from '../../support/given-partner.ts';
import { givenStack, type TestStack } from '../../support/given-stack.ts';

const rows = 500_000;
// an idle api has about 40; the rows of the file alone would need more than all of it
const heapMaxMb = 128;

async function* file() {
  yield Buffer.from('conversionExternalReference,clientExternalReference,amount,currency\n');
  for (let row = 0; row < rows; row += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, index) => `order-${row + index},customer-${index},149.90,USD\n`);
    yield Buffer.from(lines.join(''));
  }
}

// rows as long as a row may be
const uploads = 3;
async function* longRows() {
  yield Buffer.from('conversionExternalReference,clientExternalReference,amount,currency\n');
  const row = Buffer.from(`order,${'x'.repeat(8_000)},149.90,USD\n`);
  for (let bytes = 0; bytes < 49 * 2 ** 20; bytes += row.length) yield row;
}

describe('an api with little memory', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await givenStack();
  }, 120_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  it('stores a file of 500,000 rows and sends its result', async () => {
    await stack.start('api', { settings: { NODE_OPTIONS: `--max-old-space-size=${heapMaxMb}` } });
    const { key } = await givenPartner(stack);
    const headers = { 'x-api-key': key, 'content-type': 'text/csv' };
    const url = `${stack.apiUrl}/import`;
    const sent = await fetch(`${url}?of=conversion&dryRun=true`, {
      method: 'POST',
      headers,
      body: file(),
      duplex: 'half',
    });
    expect(await sent.json()).toEqual({ id: 1, state: 'pending' });
    const result = await fetch(`${url}/1/result.csv`, { headers });
    let newlines = 0;
    for await (const chunk of result.body ?? []) for (const byte of chunk) if (byte === 0x0a) newlines += 1;
    expect(newlines).toBe(rows + 1);
  }, 400_000);

  it('stores several files of long rows at the same time', async () => {
    const { key } = await givenPartner(stack);
    const headers = { 'x-api-key': key, 'content-type': 'text/csv' };
    const upload = async () => {
      const body = { method: 'POST', headers, body: longRows(), duplex: 'half' } as const;
      return (await fetch(`${stack.apiUrl}/import?of=conversion&dryRun=true`, body)).json();
    };
    const stored = await Promise.all(Array.from({ length: uploads }, upload));
    expect(stored).toMatchObject(Array.from({ length: uploads }, () => ({ state: 'pending' })));
  }, 400_000);
});
