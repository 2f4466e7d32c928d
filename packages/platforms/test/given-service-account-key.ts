import { generateKeyPairSync } from 'node:crypto';
import type { ServiceAccountKey } from '../src/google/service-account-key.ts';

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** With which Google would check what `givenServiceAccountKey` has signed. */
export const serviceAccountPublicKey = pair.publicKey;

/** The key of a service account, as Google's console saves it, less what nobody reads. */
export const givenServiceAccountKey = (changes: Partial<ServiceAccountKey> = {}): ServiceAccountKey => ({
  type: 'service_account',
  client_email: 'leadback@shop-ads.iam.gserviceaccount.com',
  private_key: pair.privateKey,
  private_key_id: 'canary-key-id',
  ...changes,
});
