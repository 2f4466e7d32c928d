export { askErasure, type ErasureToAsk, networkHash } from './ask-erasure.ts';
export {
  confirmErasure,
  type ErasureConfirmation,
  lapseAskedErasures,
  listAskedErasures,
  reEncryptAskedErasures,
  type WaitingErasure,
} from './asked-erasures.ts';
export { type AskedErasure, readErasure } from './read-erasure.ts';
export { readReceiptKeys } from './read-receipt-keys.ts';
export {
  type KeptThing,
  keptThings,
  type Receipt,
  receiptSchema,
  type UnreachedThing,
  unreachedThings,
} from './receipt.ts';
export { decryptSubject, encryptSubject, erasureKeys, type ErasureSubject } from './subject.ts';
export { type ReceiptVerdict, type SignedReceipt, verifyReceipt } from './verify-receipt.ts';
