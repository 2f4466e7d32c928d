import { createHmac } from 'node:crypto';
import type { WebhookCredentials } from '@leadback/domain';

const signatureOf = (secret: string, content: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};

interface Signed {
  readonly id: string;
  readonly body: string;
  /** When it is sent. */
  readonly nowMs: number;
}

/**
 * The headers of Standard Webhooks. For 24 hours after a rotation there are two signatures, of the new and the previous
 * secret, so that the receiver can change its own at any time.
 */
export const signedHeaders = (
  { secret, previousSecret, previousUntil }: WebhookCredentials,
  { id, body, nowMs }: Signed,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(nowMs / 1000));
  const isPreviousValid = previousUntil !== undefined && nowMs < Date.parse(previousUntil);
  const secrets = previousSecret !== undefined && isPreviousValid ? [secret, previousSecret] : [secret];
  const signatures = secrets.map((one) => signatureOf(one, `${id}.${timestamp}.${body}`));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
};
