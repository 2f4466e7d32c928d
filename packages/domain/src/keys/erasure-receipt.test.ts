import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSignedReceipt, receiptKeyId, receiptSigner } from './erasure-receipt.ts';

const signer = receiptSigner([randomBytes(32)]);
const receipt = '{"version":1,"id":"a"}';
const signature = signer.sign(receipt);

describe('the signature of a receipt', () => {
  it('is verified by the public key alone', () => {
    expect(isSignedReceipt({ id: signer.id, publicKey: signer.publicKey }, receipt, signature)).toBe(true);
    expect(signer.publicKey).toHaveLength(32);
    expect(receiptKeyId(signer.publicKey)).toBe(signer.id);
  });

  it('does not fit a changed receipt, a changed signature, another key or no key', () => {
    const another = receiptSigner([randomBytes(32)]);
    expect(isSignedReceipt(signer, `${receipt} `, signature)).toBe(false);
    expect(
      isSignedReceipt(
        signer,
        receipt,
        signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
      ),
    ).toBe(false);
    expect(isSignedReceipt(signer, receipt, '')).toBe(false);
    expect(isSignedReceipt(another, receipt, signature)).toBe(false);
    expect(isSignedReceipt({ id: '', publicKey: Buffer.alloc(3) }, receipt, signature)).toBe(false);
  });

  it('has the same key for the same SECRETS_KEY, and signs with the first of several', () => {
    const [old, fresh] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    expect(receiptSigner([old]).id).toBe('DiS4sKPrFCF8u5DL');
    expect(receiptSigner([fresh, old]).id).toBe(receiptSigner([fresh]).id);
    expect(isSignedReceipt(receiptSigner([old]), receipt, receiptSigner([old, fresh]).sign(receipt))).toBe(true);
  });
});
