import { retryAfterMs } from '@leadback/platforms/exchange';
import type { Fetched, FetchTools } from './kind.ts';

interface WantedObject {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST. Default: nothing is sent. */
  readonly json?: object;
}

// with what a claim lasts: see fetch.ts
const timeoutMs = 10_000;

/** How long a side wants us to wait, as it says it in its own header or as all do. */
const pauseOf = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): number | undefined => {
  const { 'retry-after': usual, 'x-rate-limit-reset': own } = headers;
  if (typeof usual === 'string') return retryAfterMs(usual, Date.now());
  return typeof own === 'string' && /^\d{1,7}$/.test(own) ? Number(own) : undefined;
};

/** Fetches an object of an API of JSON, or makes one. Never throws because of the network or the other side. */
export const fetchJson = async ({ request }: Pick<FetchTools, 'request'>, wanted: WantedObject): Promise<Fetched> => {
  const { url, headers, json } = wanted;
  const content = { url, headers: { accept: 'application/json', ...headers }, timeoutMs };
  const reply = await (json === undefined ? request('GET', content) : request('POST', { ...content, json }));
  if (reply.kind === 'unreachable') return { kind: 'unavailable', reason: reply.code };
  const { status, body } = reply;
  if (status === 200 || status === 201) return { kind: 'fetched', body };
  if (status === 404) return { kind: 'missing' };
  if (status === 401 || status === 403)
    return { kind: 'refused', reason: `HTTP ${status}: the access token is refused` };
  return { kind: 'unavailable', reason: `HTTP ${status}`, retryAfterMs: pauseOf(reply.headers) };
};
