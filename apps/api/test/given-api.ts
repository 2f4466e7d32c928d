import { isDatabaseUnavailable } from '@leadback/db';
import { type FeedbackToSend } from '@leadback/domain';
import { givenDatabase, secretsKeys, type TestDatabase } from '@leadback/test-fixtures';
import { serve } from '@leadback/http';
import { freePort } from '@leadback/local-stack';
import type { FeedbackPublisher } from '@leadback/messaging';
import { createLogger, createMetrics } from '@leadback/runtime';
import { apiApp } from '../src/app.ts';
import { apiEvents } from '../src/events.ts';
import { useCases } from '../src/use-cases/index.ts';
import { apiKeyCache } from '../src/use-cases/api-key-cache.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface TestApi extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly port: number;
  /** All deliveries published so far. */
  readonly published: FeedbackToSend[];
  send(
    method: string,
    path: string,
    options?: { key?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Reply>;
}

interface ApiOptions {
  /** Shared with another instance; not closed here. */
  readonly database?: TestDatabase;
  /** Replaces the publisher that confirms everything. */
  readonly publisher?: FeedbackPublisher;
}

/** The API over HTTP on its own database, with a publisher that confirms everything. */
export const givenApi = async (options: ApiOptions = {}): Promise<TestApi> => {
  const database = options.database ?? (await givenDatabase());
  const published: FeedbackToSend[] = [];
  const log = createLogger('api', 'silent');
  const events = apiEvents(log, createMetrics('api'));
  const app = apiApp({
    log,
    trustProxyHops: 0,
    isUnavailable: isDatabaseUnavailable,
    keys: apiKeyCache(database.pool, events.keyUseNotNoted),
    context: {
      ...useCases({ pool: database.pool, secretsKeys }),
      events,
      publisher: options.publisher ?? {
        publish: (feedback) => {
          published.push(...feedback);
          return Promise.resolve([...feedback]);
        },
      },
    },
  });
  const port = await freePort();
  const host = '127.0.0.1';
  const server = await serve(app, { host, port });
  return {
    database,
    port,
    published,
    async send(method, path, { key, body, headers = {}, signal } = {}) {
      const response = await fetch(`http://${host}:${port}${path}`, {
        method,
        ...(signal && { signal }),
        headers: {
          ...(key !== undefined && { 'x-api-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && {
          body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
        }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      if (!options.database) await database[Symbol.asyncDispose]();
    },
  };
};
