import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readReceiptKeys } from '@leadback/core/erasure/ask/receipt';
import { givenClient, unique } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { givenOperator, type TestOperator } from './given-operator.ts';

const shown = z.object({ receipt: z.string(), signature: z.string(), keyId: z.string() });
const noSettings = { DATABASE_URL: '', SECRETS_KEY: '' };

describe('receipt show and receipt verify', () => {
  let operator: TestOperator;
  let folder: string;
  let keysFile: string;
  let id: string;
  let signed: z.output<typeof shown>;
  beforeAll(async () => {
    operator = await givenOperator();
    folder = await mkdtemp(join(tmpdir(), 'receipts-'));
    const client = await givenClient(operator.database.em(), { email: `${unique('ana')}@example.com` });
    const { reference } = await client.lead.loadOrFail();
    const line = `client erase --account ${client.account.id} --lead ${reference}`;
    ({ receipt: id } = z.object({ receipt: z.string() }).parse(await operator.json(line)));
    signed = shown.parse(await operator.json(`receipt show ${id}`));
    const keys = await readReceiptKeys(operator.database.pool);
    keysFile = await file({
      keys: keys.map((key) => ({
        id: key.id,
        algorithm: 'Ed25519',
        publicKey: Buffer.from(key.publicKey).toString('base64'),
      })),
    });
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await operator[Symbol.asyncDispose]();
  });

  const file = async (content: unknown): Promise<string> => {
    const path = join(folder, unique('file'));
    await writeFile(path, JSON.stringify(content));
    return path;
  };

  /** What it says of a receipt that it does not take. */
  const refusalOf = async (content: unknown, keys: unknown): Promise<string> => {
    const line = ['receipt', 'verify', await file(content), '--keys', await file(keys)];
    const { status, err } = await operator.type(line, noSettings);
    expect(status).toBe(1);
    return err;
  };

  it('shows what was erased of a lead and its clients, what stays and where the receipt is', async () => {
    expect(await operator.json(`receipt show ${id}`)).toMatchObject({
      id,
      state: 'done',
      askedBy: 'operator',
      url: `https://go.example/data/receipt/${id}`,
    });
    const { out } = await operator.type(`receipt show ${id}`);
    for (const text of [id, 'clients', 'auditLog', 'backups']) expect(out).toContain(text);
  });

  it('verifies a receipt with the keys of the database, or offline with published keys', async () => {
    const genuine = { verdict: 'genuine', id, clients: 1, leads: 1 };
    const path = await file(signed);
    expect(await operator.json(['receipt', 'verify', path])).toMatchObject(genuine);
    expect(await operator.json(['receipt', 'verify', path, '--keys', keysFile], noSettings)).toMatchObject(genuine);
  });

  it.each([
    [
      'the receipt',
      (one: z.output<typeof shown>) => ({ ...one, receipt: one.receipt.replace('"leads":1', '"leads":9') }),
    ],
    ['the signature', (one: z.output<typeof shown>) => ({ ...one, signature: 'AAAA' })],
  ])('ends with status 1 and a clear sentence if %s was changed', async (_, change) => {
    const path = await file(change(signed));
    const { status, err } = await operator.type(['receipt', 'verify', path, '--keys', keysFile], noSettings);
    expect(err.trim()).toBe(`${path}: not genuine: the receipt or its signature was changed. Do not rely on it.`);
    expect(status).toBe(1);
  });

  it('says what is missing if the key is not known, a key was changed or the file is something else', async () => {
    expect(await refusalOf(signed, { keys: [] })).toContain(`signed with the key ${signed.keyId}, which is not among`);
    const wrong = { id: signed.keyId, algorithm: 'Ed25519', publicKey: Buffer.alloc(32).toString('base64') };
    expect(await refusalOf(signed, { keys: [wrong] })).toContain(`the key ${signed.keyId} was changed`);
    expect(await refusalOf({ receipt: null }, { keys: [] })).toContain('had no receipt yet');
    expect(await refusalOf([], { keys: [] })).toContain('expected {"receipt"');
    expect(await refusalOf(signed, {})).toContain('expected the file of /.well-known/leadback-receipts.json');
  });
});
