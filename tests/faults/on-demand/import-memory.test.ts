import { readFile } from 'node:fs/promises';
import { givenWorkbook } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenPartner } from '../../support/given-partner.ts';
import { givenStack, type RunningApp, type TestStack } from '../../support/given-stack.ts';

const rows = 500_000;
// an idle api has about 40; the rows of the file alone would need more than all of it
const heapMaxMb = 128;
// beside the heap: the file and its texts
const residentMaxMb = 512;

async function* file() {
  yield Buffer.from('conversionExternalReference,clientExternalReference,amount,currency\n');
  for (let row = 0; row < rows; row += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, index) => `order-${row + index},customer-${index},149.90,USD\n`);
    yield Buffer.from(lines.join(''));
  }
}

// rows as long as a row may be
const uploads = 3;

/** A workbook of as many rows, with all texts apart, of which each order number occurs once. */
const workbook = () =>
  givenWorkbook({
    formats: ['dd/mm/yyyy hh:mm'],
    sheets: [
      {
        rows: [
          ['conversionExternalReference', 'clientExternalReference', 'amount', 'currency', 'occurredAt'],
          ...Array.from({ length: rows }, (_, row) => [
            `order-${row}`,
            `customer-${row % 1_000}`,
            149.9,
            'USD',
            { xml: `<c s="1"><v>${46_000 + row / 1_440}</v></c>` },
          ]),
        ],
      },
    ],
  });
async function* longRows() {
  yield Buffer.from('conversionExternalReference,clientExternalReference,amount,currency\n');
  const row = Buffer.from(`order,${'x'.repeat(8_000)},149.90,USD\n`);
  for (let bytes = 0; bytes < 49 * 2 ** 20; bytes += row.length) yield row;
}

describe('an api with little memory', () => {
  let stack: TestStack;
  let api: RunningApp;
  beforeAll(async () => {
    stack = await givenStack();
    api = await stack.start('api', { settings: { NODE_OPTIONS: `--max-old-space-size=${heapMaxMb}` } });
  }, 120_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  it('stores a file of 500,000 rows and sends its result', async () => {
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

  it('stores a workbook of 500,000 rows', async () => {
    const { key } = await givenPartner(stack);
    const headers = { 'x-api-key': key, 'content-type': 'text/csv' };
    const choices = encodeURIComponent('{"timeZone":"America/Bogota"}');
    const url = `${stack.apiUrl}/import?of=conversion&dryRun=true&choices=${choices}`;
    const sent = await fetch(url, { method: 'POST', headers, body: workbook() });
    expect(await sent.json()).toEqual({ id: expect.any(Number), state: 'pending' });
    const [, peak = ''] = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${api.pid}/status`, 'utf8')) ?? [];
    expect(Number(peak) / 1024).toBeLessThan(residentMaxMb);
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
