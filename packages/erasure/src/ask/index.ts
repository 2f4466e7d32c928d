export {
  askErasure,
  type ErasureToAsk,
  networkHash,
  openErasuresPerNetwork,
  TooManyErasures,
  decryptSubject,
  encryptSubject,
  erasureKeys,
  type ErasureSubject,
} from './ask-erasure.ts';
export {
  confirmErasure,
  type ErasureConfirmation,
  lapseAskedErasures,
  listAskedErasures,
  reEncryptAskedErasures,
  type WaitingErasure,
} from './asked-erasures.ts';
export {
  type AskedErasure,
  readErasure,
  readReceiptKeys,
  type KeptThing,
  keptThings,
  type Receipt,
  receiptSchema,
  type UnreachedThing,
  unreachedThings,
  type ReceiptVerdict,
  type SignedReceipt,
  verifyReceipt,
} from './receipt.ts';
