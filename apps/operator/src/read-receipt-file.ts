import { readFile } from 'node:fs/promises';
import type { SignedReceipt } from '@leadback/erasure/ask';
import { type ReceiptKey, receiptKeyId } from '@leadback/secrets';
import { z } from 'zod';
import { OperatorError } from './operator-error.ts';

const signedReceiptSchema = z.object({ receipt: z.string(), signature: z.string(), keyId: z.string() });
const pendingSchema = z.object({ receipt: z.null() });
const keysSchema = z.object({
  keys: z.array(z.object({ id: z.string(), algorithm: z.literal('Ed25519'), publicKey: z.base64() })),
});

const readJson = async (path: string): Promise<unknown> => {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new OperatorError(`${path}: no file that this user may read`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError(`${path}: not JSON`);
  }
};

/** The file that the page of a receipt, the API or the console gives. */
export const readReceiptFile = async (path: string): Promise<SignedReceipt> => {
  const content = await readJson(path);
  const { success, data } = signedReceiptSchema.safeParse(content);
  if (success) return data;
  if (pendingSchema.safeParse(content).success) {
    throw new OperatorError(`${path}: the erasure had no receipt yet; download it again when its state is done`);
  }
  throw new OperatorError(
    `${path}: expected {"receipt": "…", "signature": "…", "keyId": "…"}, as the JSON of /data/receipt/ID or the API has it`,
  );
};

/** The file of `/.well-known/leadback-receipts.json`. */
export const readKeysFile = async (path: string): Promise<ReceiptKey[]> => {
  const { success, data } = keysSchema.safeParse(await readJson(path));
  if (!success) throw new OperatorError(`${path}: expected the file of /.well-known/leadback-receipts.json`);
  return data.keys.map(({ id, publicKey }) => {
    const key = { id, publicKey: Buffer.from(publicKey, 'base64') };
    // an id stands for one key alone
    if (receiptKeyId(key.publicKey) !== id) throw new OperatorError(`${path}: the key ${id} was changed`);
    return key;
  });
};
