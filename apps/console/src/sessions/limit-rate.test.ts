import { errorResponder, requestLog, serve } from '@leadback/server/http';
import { freePort } from '@leadback/testing/stack';
import { createLogger } from '@leadback/server/app';
import { knownBrowserKeys, writeKnownBrowser } from '@leadback/domain/keys';
import { givenServer, givenSockets, secretsKeys } from '@leadback/testing';
import express from 'express';
import { expect, it } from 'vitest';
import { attempts, browserCaller, limitRequests } from './limit-rate.ts';

const perNetwork = 5;

/** An app that finds the session of one person in each request, and a server on which a network has few connections. */
const givenServed = async () => {
  const now = new Date();
  const person = { id: 1, email: 'ana@example.com', role: 'marketer' } as const;
  const app = express()
    .use(requestLog(createLogger('console', 'silent')), (request, _response, next) => {
      request.session = { id: 1, person, steppedUpAt: now, idleUntil: now, guessedCodes: null };
      next();
    })
    .use(limitRequests(knownBrowserKeys(secretsKeys)))
    .use((_request, response) => void response.json({}))
    .use(errorResponder({ isUnavailable: () => false }));
  const port = await freePort();
  const server = await serve(app, { host: '127.0.0.1', port, express: app, connections: { perNetwork } });
  const sockets = givenSockets(port);
  return {
    ask: (count: number) => sockets.ask('GET / HTTP/1.1\r\nHost: x\r\n\r\n', count),
    open: () => server.connections().open,
    [Symbol.asyncDispose]: async () => {
      sockets[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
};

it('trusts no connection for a request that was refused because its person has sent too many', async () => {
  await using console = await givenServed();
  let trusted = 0;
  let refused = 0;
  while (refused <= 2 * perNetwork) {
    for (const statuses of await Promise.all(Array.from({ length: 50 }, () => console.ask(20)))) {
      if (statuses.includes(200)) trusted += 1;
      else if (statuses.includes(429)) refused += 1;
    }
  }
  expect(console.open()).toBeLessThanOrEqual(trusted + perNetwork);
});

it('names the person of a request that waits by a browser in which this person has signed in, and nobody by a forged one', () => {
  const keys = knownBrowserKeys(secretsKeys);
  const callerOf = browserCaller(keys);
  const named = (cookie: string) => callerOf({ headers: { cookie: `__Host-leadback-browser=${cookie}` } });
  const [ana, again, bea] = [
    writeKnownBrowser(keys, 'ana@example.com'),
    writeKnownBrowser(keys, 'ana@example.com'),
    writeKnownBrowser(keys, 'bea@example.com'),
  ];
  expect(named(ana)).toMatch(/^person /);
  expect(named(again)).toBe(named(ana));
  expect(named(bea)).not.toBe(named(ana));
  expect([named(`${ana.slice(0, -1)}-`), named(''), callerOf({ headers: {} })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('checks a password from a network with few wrong ones before those that a network with too many has waiting', async () => {
  const attempt = attempts(knownBrowserKeys(secretsKeys), async () => {});
  const gate = Promise.withResolvers<void>();
  let isGated = false;
  let asked = 0;
  const app = express()
    .set('trust proxy', 1)
    .use(requestLog(createLogger('console', 'silent')))
    .post('/:email/:password', async ({ params: { email, password } }, response) => {
      asked += 1;
      const run = async () => {
        if (isGated) await gate.promise;
        return password === 'right';
      };
      const isRight = await attempt(response, {
        kind: 'sign-in',
        subject: email,
        email,
        run,
        isWrong: (right) => !right,
      });
      response.sendStatus(isRight ? 200 : 401);
    })
    .use(errorResponder({ isUnavailable: () => false }));
  await using server = await givenServer(app);
  let names = 0;
  const invented = () => `nobody-${(names += 1)}`;
  const send = async (address: string, email: string, password = 'wrong') =>
    (await fetch(`${server.url}/${email}/${password}`, { method: 'POST', headers: { 'x-forwarded-for': address } }))
      .status;
  let addresses = 0;
  const newAddress = () => `198.51.100.${(addresses += 1)}`;
  // five at a time, so that each is checked
  for (let round = 0; round < 6; round += 1) {
    const ofNetwork = Array.from({ length: 5 }, () => send('203.0.113.1', invented()));
    await Promise.all([...ofNetwork, ...Array.from({ length: 5 }, () => send(newAddress(), 'ana'))]);
  }

  isGated = true;
  asked = 0;
  const flood: Promise<number>[] = [];
  // until as many wait as may
  const refused = Promise.withResolvers<void>();
  while (flood.length < 12) {
    const sent = send('203.0.113.1', invented());
    void sent.then((status) => status === 429 && refused.resolve());
    flood.push(sent);
  }
  try {
    await refused.promise;
    const owner = send(newAddress(), 'ana', 'right');
    await expect.poll(() => asked).toBe(flood.length + 1);
    gate.resolve();
    expect(await owner).toBe(200);
  } finally {
    gate.resolve();
    await Promise.all(flood);
  }
});
