import { type AskedErasure, readErasure, readReceiptKeys, verifyReceipt } from '@leadback/erasure/ask';
import type { Pool } from '@leadback/db';
import type { ReceiptKey } from '@leadback/secrets';

/** An erasure, and whether the signature of its receipt is right; null: there is no receipt yet. */
export interface ShownErasure extends AskedErasure {
  readonly isSigned: boolean | null;
}

export interface ReceiptReader {
  keys(): Promise<readonly ReceiptKey[]>;
  find(id: string): Promise<ShownErasure | undefined>;
}

const shape = /^[0-9A-Za-z]{22}$/;

export const receiptReader = (pool: Pool): ReceiptReader => ({
  keys: () => readReceiptKeys(pool),
  async find(id) {
    const erasure = shape.test(id) ? await readErasure(pool, id) : undefined;
    if (erasure === undefined) return undefined;
    const { receipt, signature, keyId } = erasure;
    if (receipt === null || signature === null || keyId === null) return { ...erasure, isSigned: null };
    const keys = await readReceiptKeys(pool);
    return { ...erasure, isSigned: verifyReceipt(keys, { receipt, signature, keyId }) === 'genuine' };
  },
});
