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
 * The headers of Standard Webhooks. For 24 hours after a rotation there are signatures of the new and of each earlier
 * secret, so that the receiver can change its own at any time.
 */
export const signedHeaders = (
  { secret, earlier = [] }: WebhookCredentials,
  { id, body, nowMs }: Signed,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(nowMs / 1000));
  const valid = earlier.filter(({ until }) => nowMs < Date.parse(until));
  const signatures = [secret, ...valid.map((one) => one.secret)].map((one) =>
    signatureOf(one, `${id}.${timestamp}.${body}`),
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
};
