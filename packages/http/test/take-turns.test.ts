import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { takeTurns } from '../src/take-turns.ts';

type Pair = readonly [IncomingMessage, ServerResponse];

/** Requests of one connection that are there, and not handled yet. */
const givenRequests = async (count: number) => {
  const { promise: arrived, resolve } = Promise.withResolvers<Pair[]>();
  const pairs: Pair[] = [];
  const server = createServer((...pair) => {
    pairs.push(pair);
    if (pairs.length === count) resolve(pairs);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const socket = connect(port, '127.0.0.1');
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const heads = numbers.map((number) => {
    const close = number === count ? 'Connection: close\r\n' : '';
    return `GET /${number} HTTP/1.1\r\nHost: x\r\nx-request-id: id-${number}\r\n${close}\r\n`;
  });
  socket.write(heads.join(''));
  return {
    pairs: await arrived,
    /** The responses, in order. */
    responses: async () => (await text(socket)).split(/(?=HTTP\/1\.1 )/),
    [Symbol.asyncDispose]: async () => {
      socket.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

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
  await using given = await givenRequests(250);
  const { handled, take } = givenTurns();
  take(given.pairs);
  const counts = [handled.length];
  for (let count = 0; count < 2; count += 1) {
    await turn();
    counts.push(handled.length);
  }
  expect(counts).toEqual([100, 200, 250]);
  expect(handled).toEqual(given.pairs.map(([{ url }]) => url));
});

it('handles requests at once that come later than the others', async () => {
  await using given = await givenRequests(102);
  const { handled, take } = givenTurns();
  take(given.pairs.slice(0, 101));
  await turn();
  await turn();
  expect(handled).toHaveLength(101);
  take(given.pairs.slice(101));
  expect(handled).toHaveLength(102);
});

it('refuses requests beyond a thousand that wait, as the app would, fifty per turn', async () => {
  await using given = await givenRequests(1_160);
  const { handled, onOverloaded, take } = givenTurns();
  take(given.pairs);
  expect(onOverloaded).toHaveBeenCalledTimes(60);
  const refusedCount = () => given.pairs.filter(([, { statusCode }]) => statusCode === 503).length;
  const counts = [refusedCount()];
  for (let count = 0; count < 2; count += 1) {
    await turn();
    counts.push(refusedCount());
  }
  expect(counts).toEqual([0, 50, 60]);

  const responses = await given.responses();
  expect(handled).toHaveLength(1_100);
  const statuses = responses.map((response) => response.slice(9, 12));
  expect(statuses).toEqual([...Array<string>(1_100).fill('200'), ...Array<string>(60).fill('503')]);
  const refused = responses[1_100] ?? '';
  expect(refused).toMatch(/^Leadback-Error: overloaded\r$/m);
  expect(refused).toMatch(/^Retry-After: 5\r$/m);
  expect(refused).toMatch(/^x-request-id: id-1101\r$/m);
  expect(refused.slice(refused.indexOf('{'))).toBe('{"message":"overloaded right now; try again later"}');
});

it('refuses requests while the oldest one has waited half a second', async () => {
  await using given = await givenRequests(104);
  vi.useFakeTimers({ toFake: ['performance'] });
  const { handled, onOverloaded, take } = givenTurns();
  take(given.pairs.slice(0, 101));
  vi.advanceTimersByTime(500);
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

it('does not handle requests whose callers have left meanwhile, and goes on with those behind them', async () => {
  await using given = await givenRequests(101);
  await using left = await givenRequests(100);
  const { handled, take } = givenTurns();
  const [last] = given.pairs.slice(100);
  take([...given.pairs.slice(0, 100), ...left.pairs, ...(last ? [last] : [])]);
  for (const [, response] of left.pairs) response.destroy();
  for (let count = 0; count < 3; count += 1) await turn();
  expect(handled).toEqual(given.pairs.map(([{ url }]) => url));
});
