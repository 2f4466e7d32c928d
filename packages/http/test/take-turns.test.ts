import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { takeTurns } from '../src/take-turns.ts';

type Pair = readonly [IncomingMessage, ServerResponse];

/** Requests that are there, and not handled yet: so many of each connection. */
const givenRequests = async (...counts: readonly number[]) => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const { promise: arrived, resolve } = Promise.withResolvers<Pair[]>();
  const pairs: Pair[] = [];
  const server = createServer((...pair) => {
    pairs.push(pair);
    if (pairs.length === total) resolve(pairs);
  }).listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  let number = 0;
  const head = (isLast: boolean) => {
    number += 1;
    const close = isLast ? 'Connection: close\r\n' : '';
    return `GET /${number} HTTP/1.1\r\nHost: x\r\nx-request-id: id-${number}\r\n${close}\r\n`;
  };
  const sockets = counts.map((count) => {
    const socket = connect(port, '127.0.0.1');
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
