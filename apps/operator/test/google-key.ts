import { generateKeyPairSync } from 'node:crypto';

/** The key of a service account, as Google Cloud saves it. */
export const googleKey = {
  type: 'service_account',
  project_id: 'zapatos',
  private_key_id: '0123456789abcdef',
  private_key: generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey,
  client_email: 'leadback@zapatos.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
};

/** A part of the key that must appear nowhere. */
export const googleKeySecret = googleKey.private_key.split('\n')[1] ?? '';
