import { connect, type Socket } from 'node:net';
import { errorResponder, requestLog, serve } from '@leadback/server/http';
import { freePort } from '@leadback/testing/stack';
import { createLogger } from '@leadback/server/app';
import express from 'express';
import { expect, it } from 'vitest';
import { type ApiKeyCache, authenticate, limitRate } from '../src/authenticate.ts';

const perNetwork = 5;

/** An app whose keys are all valid and have one request per second, and a server on which a network has few connections. */
const givenServed = async () => {
  const key = {
    id: 1,
    accountId: 1,
    accountStatus: 'active',
    isExpired: false,
    isTest: false,
    scopes: [],
    rateLimit: 1,
    isUseUnnoted: false,
  } as const;
  const keys: ApiKeyCache = { find: async () => key, findCached: () => key, knownId: () => key.id };
  const app = express()
    .use(requestLog(createLogger('api', 'silent')), authenticate(keys), limitRate())
    .use((_request, response) => void response.json({}))
    .use(errorResponder({ isUnavailable: () => false }));
  const port = await freePort();
  const server = await serve(app, { host: '127.0.0.1', port, express: app, connections: { perNetwork } });
  const sockets: Socket[] = [];
  return {
    /** The statuses of the responses to so many requests on a connection that stays open, unless the server closes it. */
    ask: (count: number) =>
      new Promise<number[]>((resolve) => {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        sockets.push(socket);
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nx-api-key: valid\r\n\r\n'.repeat(count));
        let answers = '';
        const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
        socket.on('data', (chunk) => {
          answers += String(chunk);
          if (statuses().length === count) resolve(statuses());
        });
        socket.on('close', () => resolve(statuses()));
      }),
    open: () => server.connections().open,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
};

it('trusts no connection for a request that was refused because its key has sent too many', async () => {
  await using api = await givenServed();
  let trusted = 0;
  let refused = 0;
  while (refused <= 2 * perNetwork) {
    for (const statuses of await Promise.all(Array.from({ length: 50 }, () => api.ask(1)))) {
      if (statuses.includes(200)) trusted += 1;
      else if (statuses.includes(429)) refused += 1;
    }
  }
  expect(api.open()).toBeLessThanOrEqual(trusted + perNetwork);
});
