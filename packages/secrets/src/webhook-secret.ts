import { randomBytes } from 'node:crypto';
import { type Keys, keysFor, type SecretsKeys } from './secrets-keys.ts';

const bytes = 32;

/** A new secret for the signatures of a webhook, as Standard Webhooks write it: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(bytes).toString('base64')}`;

export const webhookKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'webhook secret');
