export { askErasure, type ErasureToAsk } from './ask-erasure.ts';
export { readReceiptKeys } from './read-receipt-keys.ts';
export { type AskedErasure, readErasure } from './read-erasure.ts';
export { decryptSubject, encryptSubject, erasureKeys, type ErasureSubject } from './subject.ts';
