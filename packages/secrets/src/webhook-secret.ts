import { randomBytes } from 'node:crypto';
import { areFor, type Keys, keysFor, type SecretsKeys } from './secrets-keys.ts';

const bytes = 32;

/** A new secret for the signatures of a webhook, as Standard Webhooks write it: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(bytes).toString('base64')}`;

/**
 * Keys for secrets of webhooks. Last come those of platform credentials, if there are any: an earlier version used them, and
 * `secrets rotate` re-encrypts what it left.
 */
export const webhookKeys = (secretsKeys: SecretsKeys): Keys => {
  const own = keysFor(secretsKeys, 'webhook secret');
  return areFor(secretsKeys, 'platform credentials') ? [...own, ...keysFor(secretsKeys, 'platform credentials')] : own;
};
