import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { keysFor, type SecretsKeys } from './keys.ts';

// the parts of RFC 8410 that stand before the 32 bytes of an Ed25519 key
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const idLength = 16;

/** A public key of receipts, as it is published. */
export interface ReceiptKey {
  readonly id: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

export interface ReceiptSigner extends ReceiptKey {
  /** The signature in base64 (Ed25519, RFC 8032). */
  sign(receipt: string): string;
}

const publicKeyOf = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' });

/** The same for the same key, wherever it is read. */
export const receiptKeyId = (publicKey: Uint8Array): string =>
  createHash('sha256').update(publicKey).digest('base64url').slice(0, idLength);

/** Signs receipts of erasures with a key derived from the first key of `SECRETS_KEY`. */
export const receiptSigner = (secretsKeys: SecretsKeys): ReceiptSigner => {
  const [seed] = keysFor(secretsKeys, 'erasure receipt');
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed.export()]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length);
  return {
    id: receiptKeyId(publicKey),
    publicKey,
    sign: (receipt) => sign(null, Buffer.from(receipt), key).toString('base64'),
  };
};

/** Whether this key signed the receipt, and no character of it was changed since. */
export const isSignedReceipt = ({ publicKey }: ReceiptKey, receipt: string, signature: string): boolean => {
  try {
    return verify(null, Buffer.from(receipt), publicKeyOf(publicKey), Buffer.from(signature, 'base64'));
  } catch {
    // no key, or of another length
    return false;
  }
};
