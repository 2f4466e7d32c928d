import { LeadbackError } from './leadback-error.ts';
import { webCrypto } from './web-crypto.ts';

/** A webhook as Leadback sends it. */
export interface WebhookEvent {
  /** Such as `delivery.delivered`. */
  readonly type: string;
  readonly timestamp: string;
  /** Ids, state and reason; no personal data. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** `Headers`, or an object of headers such as `request.headers` of Node; upper and lower case are the same. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const toleranceMs = 5 * 60_000;

const headerOf = (headers: WebhookHeaders, name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value] = Object.entries(headers).find(([other]) => other.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : (value ?? []).join(' ');
};

const invalid = (message: string) => new LeadbackError({ code: 'webhook-invalid', message });

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const importSecret = async (secret: string) => {
  const bytes = fromBase64(secret.trim().replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('secret: expected the secret of the webhook, whsec_…');
  return (await webCrypto()).subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
};

const concatenate = (start: string, body: string | Uint8Array) => {
  const encoder = new TextEncoder();
  const parts = [encoder.encode(start), typeof body === 'string' ? encoder.encode(body) : body];
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  whole.set(parts[0] ?? []);
  whole.set(parts[1] ?? [], parts[0]?.length);
  return whole;
};

/**
 * Returns the event of a webhook if one of its signatures is genuine (Standard Webhooks; during the rotation of a secret
 * there are two) and its time is at most 5 minutes off, so that nobody can replay it later. Otherwise rejects with a
 * `LeadbackError`: respond with 400. Compares in constant time.
 *
 * @param rawBody The body as received, before it is parsed as JSON.
 */
export const verifyWebhook = async (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookEvent> => {
  const key = await importSecret(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (id === '' || !/^\d{1,15}$/.test(timestamp)) throw invalid('webhook-id or webhook-timestamp is missing');
  const signed = concatenate(`${id}.${timestamp}.`, rawBody);
  const { subtle } = await webCrypto();
  const checks = headerOf(headers, 'webhook-signature')
    .split(' ')
    .map(async (signature) => {
      const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
      return bytes !== undefined && subtle.verify('HMAC', key, bytes, signed);
    });
  if (!(await Promise.all(checks)).includes(true)) throw invalid('webhook-signature: no signature is valid');
  if (Math.abs(Date.now() - Number(timestamp) * 1000) > toleranceMs)
    throw new LeadbackError({ code: 'webhook-expired', message: 'webhook-timestamp: more than 5 minutes off' });
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
};
