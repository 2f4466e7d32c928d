import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import express, { type Express } from 'express';
import { z } from 'zod';
import { expressMessages } from '../../src/http/serve.ts';
import { takeTurns } from '../../src/http/take-turns.ts';

type Pair = readonly [IncomingMessage, ServerResponse];

interface Sent {
  /** The address of a connection, of 127.0.0.0/8, of which Linux has all. */
  readonly addressOf?: (connection: number) => string;
  /** Further headers of a request, each with its end of line. */
  readonly headersOf?: (number: number) => string;
  /** The app whose requests they are. */
  readonly app?: Express;
}

const givenRequests = (...counts: readonly number[]) => givenRequestsOf(counts);

/** Requests that are there, and not handled yet: so many of each connection. */
const givenRequestsOf = async (
  counts: readonly number[],
  { addressOf = () => '127.0.0.1', headersOf = () => '', app }: Sent = {},
) => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const { promise: arrived, resolve } = Promise.withResolvers<Pair[]>();
  const pairs: Pair[] = [];
  const server = createServer(app ? expressMessages(app) : {}, (...pair) => {
    pairs.push(pair);
    if (pairs.length === total) resolve(pairs);
  }).listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  let number = 0;
  const head = (isLast: boolean) => {
    number += 1;
    const close = isLast ? 'Connection: close\r\n' : '';
    return `GET /${number} HTTP/1.1\r\nHost: x\r\nx-request-id: id-${number}\r\n${headersOf(number)}${close}\r\n`;
  };
  const sockets = counts.map((count, connection) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: addressOf(connection) });
    socket.write(Array.from({ length: count }, (_, index) => head(index === count - 1)).join(''));
    return socket;
  });
  return {
    pairs: await arrived,
    /** The responses of each connection. */
    responses: () => Promise.all(sockets.map((socket) => text(socket))),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const ones = (count: number) => Array<number>(count).fill(1);
const urlsOf = (pairs: readonly Pair[]) => pairs.map(([{ url }]) => url);
const statusesIn = (responses: string) => [...responses.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);

const givenTurns = () => {
  const handled: (string | undefined)[] = [];
  const onOverloaded = vi.fn<() => void>();
  const listener = takeTurns(
    ({ url }, response) => {
      handled.push(url);
      response.end();
    },
    { onOverloaded },
  );
  return { handled, onOverloaded, take: (pairs: readonly Pair[]) => pairs.forEach((pair) => listener(...pair)) };
};

afterEach(() => {
  vi.useRealTimers();
});

it('handles a hundred requests per turn of the event loop, and the others in the next turns, in order', async () => {
  await using given = await givenRequests(...ones(250));
  const { handled, take } = givenTurns();
  take(given.pairs);
  const counts = [handled.length];
  for (let count = 0; count < 2; count += 1) {
    await turn();
    counts.push(handled.length);
  }
  expect(counts).toEqual([100, 200, 250]);
  expect(handled).toEqual(urlsOf(given.pairs));
});

it('handles requests at once that come later than the others', async () => {
  await using given = await givenRequests(...ones(102));
  const { handled, take } = givenTurns();
  take(given.pairs.slice(0, 101));
  await turn();
  await turn();
  expect(handled).toHaveLength(101);
  take(given.pairs.slice(101));
  expect(handled).toHaveLength(102);
});

it('refuses requests beyond two thousand that wait, as the app would, fifty per turn', async () => {
  await using given = await givenRequests(...ones(2_160));
  // on a slow machine, the first would have waited too long
  vi.useFakeTimers({ toFake: ['performance'] });
  const { handled, onOverloaded, take } = givenTurns();
  take(given.pairs);
  expect(onOverloaded).toHaveBeenCalledTimes(60);
  const refused = given.pairs.filter((_, index) => index >= 2_100);
  const refusedCount = () => refused.filter(([, { statusCode }]) => statusCode === 503).length;
  const counts = [refusedCount()];
  for (let count = 0; count < 2; count += 1) {
    await turn();
    counts.push(refusedCount());
  }
  expect(counts).toEqual([0, 50, 60]);

  const responses = await given.responses();
  expect(handled).toEqual(urlsOf(given.pairs.slice(0, 2_100)));
  const ofRefused = responses.filter((response) => response.startsWith('HTTP/1.1 503 '));
  expect(ofRefused).toHaveLength(60);
  expect(responses.filter((response) => response.startsWith('HTTP/1.1 200 '))).toHaveLength(2_100);
  const [response = ''] = ofRefused;
  expect(response).toMatch(/^Leadback-Error: overloaded\r$/m);
  expect(response).toMatch(/^Retry-After: 5\r$/m);
  expect(response).toMatch(/^x-request-id: id-\d+\r$/m);
  expect(response.slice(response.indexOf('{'))).toBe('{"message":"overloaded right now; try again later"}');
});

it('refuses requests while the oldest one has waited a quarter of a second', async () => {
  await using given = await givenRequests(...ones(104));
  vi.useFakeTimers({ toFake: ['performance'] });
  const { handled, onOverloaded, take } = givenTurns();
  take(given.pairs.slice(0, 101));
  vi.advanceTimersByTime(250);
  take(given.pairs.slice(101, 102));
  expect(onOverloaded).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  take(given.pairs.slice(102, 103));
  expect(onOverloaded).toHaveBeenCalledTimes(1);
  await turn();
  await turn();
  take(given.pairs.slice(103));
  expect(handled).toHaveLength(103);
  expect(onOverloaded).toHaveBeenCalledTimes(1);
});

it('refuses requests at once that wait behind another one of their connection, so that nobody can take all places', async () => {
  await using given = await givenRequests(150, ...ones(20));
  const { handled, onOverloaded, take } = givenTurns();
  const ofOne = given.pairs.filter(([, { socket }]) => socket === null);
  expect(ofOne).toHaveLength(149);
  const others = given.pairs.filter(([, { socket }]) => socket !== null);
  take([...ofOne, ...others]);
  expect(handled).toHaveLength(100);
  expect(onOverloaded).toHaveBeenCalledTimes(49);
  await turn();
  expect(handled).toHaveLength(121);
  const [piped = '', ...single] = await given.responses();
  expect(statusesIn(piped)).toEqual([...Array<string>(101).fill('200'), ...Array<string>(49).fill('503')]);
  expect(single.flatMap((response) => statusesIn(response))).toEqual(Array<string>(20).fill('200'));
});

it('does not handle requests whose callers have left meanwhile, and goes on with those behind them', async () => {
  await using given = await givenRequests(...ones(201));
  const { handled, take } = givenTurns();
  take(given.pairs);
  const left = given.pairs.slice(100, 200);
  for (const [, response] of left) response.destroy();
  for (let count = 0; count < 3; count += 1) await turn();
  expect(handled).toEqual(urlsOf(given.pairs.filter((pair) => !left.includes(pair))));
});

const isOfOthers = ({ url }: IncomingMessage) => Number(url?.slice(1)) > 2_300;

it('lets callers take turns, and refuses the last ones of the caller with most when too many wait', async () => {
  await using given = await givenRequests(...ones(2_400));
  vi.useFakeTimers({ toFake: ['performance'] });
  const handled: boolean[] = [];
  const onOverloaded = vi.fn<() => void>();
  const listener = takeTurns(
    (request, response) => {
      handled.push(isOfOthers(request));
      response.end();
    },
    { onOverloaded, callerOf: (request) => (isOfOthers(request) ? 'key 1' : undefined) },
  );
  const others = given.pairs.filter(([request]) => isOfOthers(request));
  for (const pair of given.pairs) if (!others.includes(pair)) listener(...pair);
  expect(onOverloaded).toHaveBeenCalledTimes(200);
  for (const pair of others) listener(...pair);
  await turn();
  await turn();
  // each second one in two turns, although two thousand waited before them
  expect(handled.slice(100).filter((isOther) => isOther)).toHaveLength(100);
  expect(onOverloaded).toHaveBeenCalledTimes(300);
});

const numberOf = ({ url }: IncomingMessage) => Number(url?.slice(1));
const addressIn24 = (network: number) => `127.${Math.floor(network / 200) + 1}.${network % 200}.1`;

/** Which requests were handled and refused, with names of callers by the number of a request. */
const givenTurnsOf = (nameOf: (number: number) => string | undefined) => {
  const handled: number[] = [];
  const onOverloaded = vi.fn<() => void>();
  const listener = takeTurns(
    (request, response) => {
      handled.push(numberOf(request));
      response.end();
    },
    { onOverloaded, callerOf: (request) => nameOf(numberOf(request)) },
  );
  const take = (pairs: readonly Pair[]) => {
    for (const pair of pairs) listener(...pair);
  };
  return { handled, onOverloaded, take };
};

/** The requests in the order of their numbers: they arrive in any. */
const sorted = (pairs: readonly Pair[]) => pairs.toSorted(([one], [other]) => numberOf(one) - numberOf(other));

it('lets a caller with a name wait in place of a stranger, of two thousand networks, whose request is refused', async () => {
  const strangersCount = 2_100;
  await using given = await givenRequestsOf(ones(strangersCount + 150), { addressOf: addressIn24 });
  const { handled, onOverloaded, take } = givenTurnsOf((number) => (number > strangersCount ? 'key 1' : undefined));
  const pairs = sorted(given.pairs);
  vi.useFakeTimers({ toFake: ['performance'] });
  take(pairs.slice(0, strangersCount));
  expect([handled.length, onOverloaded.mock.calls.length]).toEqual([100, 0]);
  take(pairs.slice(strangersCount));
  expect(onOverloaded).toHaveBeenCalledTimes(150);
  await turn();
  const named = () => handled.filter((number) => number > strangersCount).length;
  // three quarters of a turn
  expect([handled.length, named()]).toEqual([200, 75]);
  await turn();
  expect([handled.length, named()]).toEqual([300, 150]);

  const responses = await given.responses();
  const refused = responses.flatMap((response, index) => (response.startsWith('HTTP/1.1 503 ') ? [index + 1] : []));
  // those whose turn was last
  expect(refused).toEqual(Array.from({ length: 150 }, (_, index) => strangersCount - 149 + index));
  expect(responses[strangersCount - 1]).toMatch(/^Retry-After: 5\r$/m);
});

it('leaves strangers a quarter of the turns, and of what may wait, while callers with a name send more than that', async () => {
  const namedCount = 2_100;
  await using given = await givenRequestsOf(ones(namedCount + 600), { addressOf: addressIn24 });
  const { handled, onOverloaded, take } = givenTurnsOf((number) => (number > namedCount ? undefined : `key ${number}`));
  const pairs = sorted(given.pairs);
  vi.useFakeTimers({ toFake: ['performance'] });
  take(pairs);
  // five hundred strangers took the places of as many others; a hundred found no place
  expect(onOverloaded).toHaveBeenCalledTimes(600);
  await turn();
  expect(handled.slice(100).filter((number) => number > namedCount)).toHaveLength(25);
  await given.responses();
  expect(handled.filter((number) => number > namedCount)).toHaveLength(500);
  expect(handled).toHaveLength(2_100);
});

it('lets strangers of a /24 share one turn, and take turns in it', async () => {
  // of one address, of others in its /24, and of one in another
  const [loud, quiet, elsewhere] = [2_100, 10, 10];
  const addressOf = (connection: number) => {
    if (connection < loud) return '127.1.1.1';
    return connection < loud + quiet ? `127.1.1.${connection - loud + 2}` : '127.2.1.1';
  };
  await using given = await givenRequestsOf(ones(loud + quiet + elsewhere), { addressOf });
  const { handled, onOverloaded, take } = givenTurnsOf(() => undefined);
  vi.useFakeTimers({ toFake: ['performance'] });
  take(sorted(given.pairs));
  expect(onOverloaded).toHaveBeenCalledTimes(quiet + elsewhere);
  await turn();
  const next = handled.slice(100);
  expect(next.filter((number) => number > loud + quiet)).toHaveLength(elsewhere);
  expect(next.filter((number) => number > loud && number <= loud + quiet)).toHaveLength(quiet);
  // each second turn while both wait
  expect(next.slice(0, 2 * elsewhere).filter((number) => number > loud + quiet)).toHaveLength(elsewhere);
});

it('tells strangers apart by the address that a trusted proxy has appended, whatever they send themselves', async () => {
  const [loud, quiet] = [2_100, 10];
  const headersOf = (number: number) =>
    `x-forwarded-for: 203.0.113.${number % 250}, ${number > loud ? '198.51.100.7' : '192.0.2.1'}\r\n`;
  const app = express().set('trust proxy', 1);
  await using given = await givenRequestsOf(ones(loud + quiet), { headersOf, app });
  const { handled, onOverloaded, take } = givenTurnsOf(() => undefined);
  vi.useFakeTimers({ toFake: ['performance'] });
  take(sorted(given.pairs));
  expect(onOverloaded).toHaveBeenCalledTimes(quiet);
  await turn();
  expect(handled.slice(100).filter((number) => number > loud)).toHaveLength(quiet);
});
