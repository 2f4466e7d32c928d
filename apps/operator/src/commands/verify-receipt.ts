import { readReceiptKeys, verifyReceipt as verify } from '@leadback/erasure/ask';
import type { ReceiptKey } from '@leadback/secrets';
import { z } from 'zod';
import { command, type Row } from '../command.ts';
import { OperatorError } from '../operator-error.ts';
import { readKeysFile, readReceiptFile } from '../read-receipt-file.ts';
import { parseReceipt, receiptRow } from '../receipt-row.ts';

const verified = async (path: string, keys: readonly ReceiptKey[]): Promise<Row> => {
  const signed = await readReceiptFile(path);
  const verdict = verify(keys, signed);
  if (verdict === 'changed') {
    throw new OperatorError(`${path}: not genuine: the receipt or its signature was changed. Do not rely on it.`);
  }
  if (verdict === 'unknown-key') {
    throw new OperatorError(
      `${path}: signed with the key ${signed.keyId}, which is not among the keys. Give those of /.well-known/leadback-receipts.json on the host of its landing pages with --keys.`,
    );
  }
  const receipt = parseReceipt(signed.receipt);
  const { id, installation, accountId: account } = receipt;
  return { verdict, id, installation, account, ...receiptRow(receipt), keyId: signed.keyId };
};

export const verifyReceipt = command({
  name: 'receipt verify',
  summary: 'say whether a receipt of an erasure is genuine; exit status 1 if it is not',
  argument: '<file>',
  options: [
    [
      '--keys <file>',
      'the file of /.well-known/leadback-receipts.json; with it, no database and no settings are needed',
    ],
  ],
  input: z.object({ id: z.string(), keys: z.string().optional() }),
  runOffline: async ({ id: path, keys }) => (keys === undefined ? undefined : verified(path, await readKeysFile(keys))),
  run: async ({ id: path }, { pool }) => verified(path, await readReceiptKeys(pool)),
});
