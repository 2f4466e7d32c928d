import { isSignedReceipt, type ReceiptKey } from '@leadback/secrets';

/** A receipt as it is published: of the page of the receipt, of the API and of the console. */
export interface SignedReceipt {
  /** The JSON that was signed, to the byte. */
  readonly receipt: string;
  /** In base64. */
  readonly signature: string;
  readonly keyId: string;
}

/** `changed`: its key did not sign it. `unknown-key`: none of these keys has the id that it names. */
export type ReceiptVerdict = 'genuine' | 'changed' | 'unknown-key';

/** Whether one of the keys signed the receipt, and no character of it was changed since. */
export const verifyReceipt = (
  keys: readonly ReceiptKey[],
  { receipt, signature, keyId }: SignedReceipt,
): ReceiptVerdict => {
  const key = keys.find(({ id }) => id === keyId);
  if (!key) return 'unknown-key';
  return isSignedReceipt(key, receipt, signature) ? 'genuine' : 'changed';
};
