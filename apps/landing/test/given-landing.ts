import { request } from 'node:http';
import { leadRecorder, openDatabase } from '@leadback/db';
import { leadReferenceKey } from '@leadback/domain';
import { givenDatabase, givenServer, secretsKey, type TestDatabase, tcpProxy } from '@leadback/given';
import { createLogger, createMetrics } from '@leadback/runtime';
import { landingApp } from '../src/app.ts';
import { landingEvents } from '../src/events.ts';
import { findPage } from '../src/find-page.ts';
import { recordVisit } from '../src/record-visit.ts';

interface Visit {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
}

export interface Reply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly location: string | undefined;
  readonly html: string;
}

export interface TestLanding extends AsyncDisposable {
  readonly database: TestDatabase;
  /** The app no longer reaches its database; the test does. */
  loseDatabase(): void;
  /** One request as a browser sends it; redirects are not followed. The path is sent byte for byte. */
  visit(path: string, visit?: Visit): Promise<Reply>;
}

const browser = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
};

/** The landing app over HTTP on a database of its own. */
export const givenLanding = async (): Promise<TestLanding> => {
  const database = await givenDatabase();
  const proxy = await tcpProxy(database.url);
  const reached = await openDatabase({ url: proxy.url, applicationName: 'landing test' });
  const log = createLogger('landing', 'silent');
  const events = landingEvents(log, createMetrics('landing'));
  const app = landingApp({
    log,
    trustProxyHops: 1,
    events,
    findPage: findPage(reached),
    recordVisit: recordVisit({
      record: leadRecorder(reached.pool),
      referenceKey: leadReferenceKey(secretsKey),
      events,
    }),
  });
  const server = await givenServer(app);
  const { hostname, port } = new URL(server.url);
  return {
    database,
    loseDatabase: () => proxy.cut(),
    visit: (path, { method, headers, form } = {}) =>
      new Promise((resolve, reject) => {
        const body = form && new URLSearchParams(form).toString();
        const options = {
          hostname,
          port,
          path,
          method: method ?? (form ? 'POST' : 'GET'),
          headers: { ...browser, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
        };
        const sent = request(options, (response) => {
          response.setEncoding('utf8');
          let html = '';
          response.on('data', (text: string) => {
            html += text;
          });
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              location: response.headers.location,
              html,
            }),
          );
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await reached[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};
