import { Refusal } from '@leadback/domain';
import { findSource, type StoredSource } from '@leadback/core/sources/open';
import type { ReceivedRequest } from '@leadback/core/sources/kind';
import { pathHashOf } from '@leadback/core/sources/secrets';
import { networkOf, rawBytes, tokenBuckets, trustCaller } from '@leadback/server/http';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { LRUCache } from 'lru-cache';
import type { ApiContext } from './context.ts';

const bytesMax = 1024 * 1024;
const tooLarge = () => new Refusal('body-too-large', { message: 'body: larger than 1 MiB' });

// of a source that is paused, deleted or changed
const cachedForMs = 1_000;
const sourcesMax = 10_000;

/** Finds sources by the last part of their URL, at most once a second each. */
const sourceFinder = (pool: ApiContext['intake']) => {
  const none = Symbol('there is none');
  const known = new LRUCache<string, StoredSource | typeof none>({
    max: sourcesMax,
    ttl: cachedForMs,
    fetchMethod: async (hash) => (await findSource(pool, Buffer.from(hash, 'hex'))) ?? none,
  });
  return async (path: string): Promise<StoredSource | undefined> => {
    const hash = pathHashOf(path);
    const found = hash && (await known.fetch(hash.toString('hex')));
    return found === none ? undefined : found;
  };
};

// as a key of the API; a shop after an outage sends what it kept
const ofSource = { perSecond: 500, burst: 2_000 };
const unknownPaths = { perSecond: 10, burst: 100 };
const bucketsMax = 10_000;

const headersOf = ({ headers }: Request): ReceivedRequest['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );

const queryOf = ({ originalUrl }: Request): string => {
  const mark = originalUrl.indexOf('?');
  return mark === -1 ? '' : originalUrl.slice(mark + 1);
};

const limited = (response: Response, waitMs: number): Refusal => {
  response.set('Retry-After', String(Math.ceil(waitMs / 1000)));
  return new Refusal('rate-limited', { message: 'too many requests; try again later' });
};

/** Takes what shops and services send. What they get says nothing of what they have sent. */
export const sourceRouter = ({ intake, receiveFromSource, refusals, events }: ApiContext): Router => {
  const find = sourceFinder(intake);
  const bucketOf = tokenBuckets(bucketsMax);

  const take: RequestHandler<{ path: string }> = async (request, response) => {
    // a link checker
    if (request.method === 'HEAD') return void response.end();
    const strangers = bucketOf(`network ${networkOf(request.ip ?? '')}`, unknownPaths);
    const source = await find(request.params.path);
    if (!source) {
      const waitMs = strangers.getWaitTime(1);
      if (waitMs > 0) throw limited(response, waitMs);
      strangers.tryRemoveTokens(1);
      throw new Refusal('not-found', { message: 'no source has this address; copy it again as it was shown' });
    }
    if (source.accountStatus !== 'active') throw new Refusal('account-suspended');
    const bucket = bucketOf(`source ${source.id}`, ofSource);
    if (!bucket.tryRemoveTokens(1)) throw limited(response, bucket.getWaitTime(1));
    const method = request.method === 'GET' ? 'GET' : 'POST';
    const body = method === 'GET' ? Buffer.alloc(0) : await rawBytes(request, bytesMax, tooLarge);
    const received = await receiveFromSource(source, {
      method,
      headers: headersOf(request),
      query: queryOf(request),
      body,
    });
    if (received === 'method-not-allowed') {
      response.set('Allow', 'POST');
      throw new Refusal('method-not-allowed', { message: 'GET is not supported here; use POST' });
    }
    // it is sent again, to be counted once the source is fixed
    if (received === 'cannot-open') throw new Refusal('unavailable');
    if (received === 'wrong-signature') {
      events.sourceRefused(source.kind);
      refusals.note(source.id);
      throw new Refusal('signature-wrong');
    }
    trustCaller(request, `source ${source.id}`);
    events.sourceReceived(received);
    response.json({ ok: true });
  };

  const router = express.Router({ strict: false, caseSensitive: true });
  router
    .route('/:path')
    .get(take)
    .post(take)
    .all((_request, response) => {
      response.set('Allow', 'POST');
      throw new Refusal('method-not-allowed', { message: 'this method is not supported here; use POST' });
    });
  return router;
};
