import { defineEntity, p } from '@mikro-orm/core';

const ReceiptKeySchema = defineEntity({
  name: 'ReceiptKey',
  tableName: 'receipt_key',
  properties: {
    /** From the hash of the public key. */
    id: p.text().primary(),
    /** Ed25519: 32 bytes. */
    publicKey: p.blob(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** A key that has signed a receipt. It stays: receipts are verified with it after a rotation of `SECRETS_KEY`. */
export class ReceiptKey extends ReceiptKeySchema.class {}
ReceiptKeySchema.setClass(ReceiptKey);
