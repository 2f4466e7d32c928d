import { once } from 'node:events';
import { get, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { freePort } from '@leadback/local-stack';
import { describe, expect, it } from 'vitest';
import { type CloseReason, type ConnectionLimits, trustCaller } from '../src/connections.ts';
import { serve } from '../src/index.ts';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const slowForm = 'POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 10\r\n\r\n';
const times = (count: number) => Array.from({ length: count });

const answer: RequestListener = (sent, response) => {
  if (sent.headers['x-api-key'] === 'valid') trustCaller(sent);
  response.end('ok');
};

/** A server with small limits, and callers of its own addresses of 127.0.0.0/8, of which Linux has all. */
const givenServed = async (limits: Partial<ConnectionLimits>, listener = answer) => {
  const port = await freePort();
  const closed: CloseReason[] = [];
  let dropped = 0;
  const server = await serve(listener, {
    host: '127.0.0.1',
    port,
    connections: { ...limits, onClosed: (reason) => closed.push(reason), onDropped: () => (dropped += 1) },
  });
  const sockets: Socket[] = [];
  return {
    closed,
    dropped: () => dropped,
    open: () => server.connections().open,
    /** Opens a connection and sends `text` on it. */
    hold: async (localAddress: string, text = '') => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
      sockets.push(socket);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      if (text !== '') socket.write(text);
      return socket;
    },
    /** Opens a connection, and waits for the response to a request on it. */
    ask: async (localAddress: string, headers = '') => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
      sockets.push(socket);
      socket.write(request.replace('\r\n\r\n', `\r\n${headers}\r\n`));
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return socket;
    },
    /** The status of a request on a new connection. */
    visit: (localAddress: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = get({ port, host: '127.0.0.1', localAddress, agent: false }, (response) => {
          response.resume();
          response.once('end', () => resolve(response.statusCode));
        });
        asked.once('error', reject);
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
};

const isOpen = (socket: Socket) => !socket.destroyed && socket.readable;

describe('the connections of a server', () => {
  it.each([
    ['nothing', ''],
    ['the start of a request', 'GET / HTTP/1.1\r\nHost: x\r\n'],
    ['a form that never ends', slowForm],
    ['requests, and stay open', request],
  ])('lets a visitor in while eleven addresses hold all they can get and have sent %s', async (_, text) => {
    await using server = await givenServed({ max: 200, perNetwork: 20 });
    const attackers = times(11).map((__, index) => `127.0.0.${index + 1}`);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(times(100).flatMap(() => attackers.map((address) => server.hold(address, text))));
      for (let visits = 0; visits < 20; visits += 1) expect(await server.visit('127.0.0.99')).toBe(200);
    }
    expect(server.dropped()).toBe(0);
    expect(server.open()).toBeLessThanOrEqual(200);
  });

  it('lets a visitor in while one address after the other is used for a single connection', async () => {
    await using server = await givenServed({ max: 100, perNetwork: 20 });
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(times(200).map((_, index) => server.hold(`127.${round}.${index}.1`)));
      expect(await server.visit('127.99.0.1')).toBe(200);
    }
    expect(server.dropped()).toBe(0);
  });

  it('closes those of the largest network first when the process has too many', async () => {
    await using server = await givenServed({ max: 100 });
    const visitors = await Promise.all(times(20).map((_, index) => server.hold(`127.1.${index}.1`)));
    await Promise.all(times(10).map(() => server.ask('127.2.0.1')));
    await Promise.all(times(200).map((_, index) => server.hold(`127.0.0.${(index % 100) + 1}`)));
    await expect.poll(() => server.closed.length).toBeGreaterThanOrEqual(20 + 10 + 200 - 95);
    expect([visitors.filter(isOpen).length, new Set(server.closed)]).toEqual([20, new Set(['process'])]);
  });

  it('closes, at the limit of a network, those without a complete request before those of its other people', async () => {
    await using server = await givenServed({ perNetwork: 20, newMs: 0 });
    const people = await Promise.all(times(15).map(() => server.ask('127.0.0.1')));
    await Promise.all(times(100).map(() => server.hold('127.0.0.1')));
    await expect.poll(() => server.closed.length).toBeGreaterThanOrEqual(95);
    expect(await server.visit('127.0.0.1')).toBe(200);
    expect([people.filter(isOpen).length, new Set(server.closed)]).toEqual([15, new Set(['network'])]);
  });

  it('does not count connections of callers with a valid key towards the limit of their network', async () => {
    await using server = await givenServed({ max: 1_000, perNetwork: 20 });
    const partner = await Promise.all(times(50).map(() => server.ask('127.0.0.1', 'x-api-key: valid\r\n')));
    await Promise.all(times(100).map(() => server.hold('127.0.0.1')));
    await Promise.all(times(100).map(() => server.hold('127.0.0.1', request)));
    await expect.poll(() => server.closed.length).toBeGreaterThanOrEqual(180);
    expect(partner.filter(isOpen)).toHaveLength(50);
  });

  it('closes idle connections even of trusted callers before it refuses anybody', async () => {
    await using server = await givenServed({ max: 100 });
    for (let asked = 0; asked < 150; asked += 1) await server.ask('127.0.0.1', 'x-api-key: valid\r\n');
    expect(await server.visit('127.0.0.2')).toBe(200);
    expect(server.dropped()).toBe(0);
  });

  it('closes what sends nothing while more than half are open, and nothing before', async () => {
    await using server = await givenServed({ max: 100, firstByteMs: 0 });
    const few = await Promise.all(times(50).map(() => server.hold('127.0.0.1')));
    const started = await Promise.all(times(10).map(() => server.hold('127.0.0.1', 'GET / HTTP/1.1\r\n')));
    await expect.poll(() => few.filter(isOpen).length).toBe(0);
    expect([new Set(server.closed), started.filter(isOpen).length]).toEqual([new Set(['silent']), 10]);
  });

  it('tells what it refuses although it could close nothing: connections in progress of trusted callers', async () => {
    await using server = await givenServed({ max: 20 }, (sent) => trustCaller(sent));
    for (let held = 0; held < 20; held += 1) await server.hold('127.0.0.1', request);
    await expect
      .poll(async () => {
        await server.hold('127.0.0.2', request);
        return server.dropped();
      })
      .toBeGreaterThan(0);
  });
});
