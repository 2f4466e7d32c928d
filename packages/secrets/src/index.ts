export {
  type AccountKeys,
  accountMasterKeys,
  type LookupKind,
  lookupHash,
  openAccountKey,
  reEncryptAccountKey,
  sealNewAccountKey,
} from './account-keys.ts';
export { type KeyedApp, keyedApps, secretsKeysSchema, warningOfAllKeys, writeAppKeys } from './app-keys.ts';
export { type AccountKeysOpener, accountKeysOpener } from './account-keys-opener.ts';
export { apiKeyPrefixLength, hashApiKey, issueApiKey, isWellFormedApiKey } from './api-key.ts';
export { encryptLead, decryptLead, type BufferedLead, bufferedLeadKeys } from './buffered-lead.ts';
export { randomBase62 } from './base62.ts';
export { keyedCheck } from './keyed-check.ts';
export {
  type KnownBrowser,
  knownBrowserKeys,
  readKnownBrowser,
  writeKnownBrowser,
} from './known-browser.ts';
export {
  type AskedScope,
  askedScopes,
  type ConsentRequest,
  consentRequestKeys,
  hashConsentText,
  isSignedConsentRequest,
  signConsentRequest,
} from './consent-request.ts';
export { encrypt, decrypt } from './encrypt.ts';
export {
  type ContactData,
  contactOfClient,
  contactOfLead,
  contactOfReconciliationRow,
  type ContactOwner,
  decryptContact,
  encryptContact,
} from './encrypted-contact.ts';
export {
  type CredentialsOwner,
  connectionKeys,
  credentialsKeys,
  encryptCredentials,
  encryptingKey,
  decryptCredentials,
} from './encrypted-credentials.ts';
export {
  isSignedReceipt,
  type ReceiptKey,
  receiptKeyId,
  type ReceiptSigner,
  receiptSigner,
} from './erasure-receipt.ts';
export {
  type LeadProof,
  leadProofKeys,
  leadProofOf,
  newLeadProof,
  type OwnLead,
  readOwnLead,
  writeOwnLead,
} from './lead-proof.ts';
export { isGenuineLeadReference, issueLeadReference, leadReferenceKeys, leadReferenceOf } from './lead-reference.ts';
export { pageOfPreviewCode, pagePreviewCode, pagePreviewKeys } from './page-preview.ts';
export { type PersonMarks, personHashes } from './person-hashes.ts';
export { type Keys, keysFor, type MasterKeys, masterKeysSchema, type SecretsKeys } from './secrets-keys.ts';
export { newWebhookSecret, webhookKeys } from './webhook-secret.ts';
