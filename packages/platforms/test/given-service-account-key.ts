import { generateKeyPairSync } from 'node:crypto';
import type { ServiceAccountKey } from '../src/google/access.ts';

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** Verifies signatures made with `givenServiceAccountKey`. */
export const serviceAccountPublicKey = pair.publicKey;

/** A service account key as Google's console saves it, without unused fields. */
export const givenServiceAccountKey = (changes: Partial<ServiceAccountKey> = {}): ServiceAccountKey => ({
  type: 'service_account',
  client_email: 'leadback@shop-ads.iam.gserviceaccount.com',
  private_key: pair.privateKey,
  private_key_id: 'canary-key-id',
  ...changes,
});
