import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { freePort } from '@leadback/testing/stack';
import { describe, expect, it } from 'vitest';
import { type CloseReason, type ConnectionLimits, trustCaller } from '../../src/http/connections.ts';
import { serve } from '../../src/http/index.ts';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const slowForm = 'POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 10\r\n\r\n';
const times = (count: number) => Array.from({ length: count });

const answer: RequestListener = (sent, response) => {
  const { 'x-api-key': key } = sent.headers;
  if (typeof key === 'string') trustCaller(sent, key);
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
    /** Sends a request on an open connection, and waits for the response. Returns whether there is one. */
    again: async (socket: Socket, headers = '') => {
      socket.write(request.replace('\r\n\r\n', `\r\n${headers}\r\n`));
      using ended = new DisposableStack();
      const { signal } = ended.adopt(new AbortController(), (controller) => controller.abort());
      await Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal })]).catch(() => {});
      return socket.bytesRead > 0;
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

type Served = Awaited<ReturnType<typeof givenServed>>;

/** How many of twenty newcomers are served who come at once, and of twenty more who come one after the other. */
const letNewcomersIn = async (server: Served) => {
  const newcomers = await Promise.all(times(20).map((_, index) => server.hold(`127.1.${index}.1`)));
  const served = await Promise.all(newcomers.map((newcomer) => server.again(newcomer)));
  const statuses: (number | undefined)[] = [];
  for (let visits = 0; visits < 20; visits += 1) statuses.push(await server.visit('127.2.0.1').catch(() => undefined));
  return {
    atOnce: served.filter((isServed) => isServed).length,
    later: statuses.filter((status) => status === 200).length,
    dropped: server.dropped(),
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
    const partner = await Promise.all(times(50).map(() => server.ask('127.0.0.1', 'x-api-key: one\r\n')));
    await Promise.all(times(100).map(() => server.hold('127.0.0.1')));
    await Promise.all(times(100).map(() => server.hold('127.0.0.1', request)));
    await expect.poll(() => server.closed.length).toBeGreaterThanOrEqual(180);
    expect(partner.filter(isOpen)).toHaveLength(50);
  });

  it('counts the connections of a valid key beyond its share towards the limit of its network, those first that it has used least lately', async () => {
    await using server = await givenServed({ max: 1_000, perNetwork: 20, perCaller: 10 });
    const first = await server.ask('127.0.0.1', 'x-api-key: one\r\n');
    const others: Socket[] = [];
    for (let asked = 0; asked < 60; asked += 1) {
      others.push(await server.ask('127.0.0.1', 'x-api-key: one\r\n'));
      await server.again(first, 'x-api-key: one\r\n');
    }
    await expect.poll(() => others.filter(isOpen).length).toBeLessThanOrEqual(10 + 20);
    expect([isOpen(first), others.slice(-9).filter(isOpen).length]).toEqual([true, 9]);
    expect(new Set(server.closed)).toEqual(new Set(['network']));
  });

  // nobody is late or silent, however slow this machine is
  const patient = { max: 100, newMs: 60_000, firstByteMs: 60_000 };

  it.each([
    ['one valid key', 1, 100],
    ['one valid key, beyond its share,', 1, 5],
    ['nineteen valid keys', 19, 5],
  ])('serves twenty newcomers while 96 of 100 connections are idle ones of %s', async (_, keys, perCaller) => {
    await using server = await givenServed({ ...patient, perCaller });
    for (let asked = 0; asked < 96; asked += 1) await server.ask('127.0.0.1', `x-api-key: ${asked % keys}\r\n`);
    expect(await letNewcomersIn(server)).toEqual({ atOnce: 20, later: 20, dropped: 0 });
  });

  it.each([
    ['uploads that do not end', slowForm],
    ['requests whose responses do not end', request],
  ])('serves twenty newcomers while nineteen valid keys have 96 of 100 connections with %s', async (_, text) => {
    await using server = await givenServed({ ...patient, slowMs: 0, perCaller: 5 }, (sent, response) => {
      const { 'x-api-key': key } = sent.headers;
      if (typeof key === 'string') trustCaller(sent, key);
      else response.end('ok');
    });
    for (let held = 0; held < 96; held += 1) {
      await server.hold('127.0.0.1', text.replace('\r\n\r\n', `\r\nx-api-key: ${held % 19}\r\n\r\n`));
    }
    expect(await letNewcomersIn(server)).toEqual({ atOnce: 20, later: 20, dropped: 0 });
  });

  it('keeps the idle connections of a valid key that has fewer than each network of the strangers', async () => {
    await using server = await givenServed(patient);
    const partner = await Promise.all(times(3).map(() => server.ask('127.0.0.1', 'x-api-key: one\r\n')));
    await Promise.all(times(300).map((_, index) => server.hold(`127.1.${index % 10}.1`)));
    await expect.poll(() => server.closed.length).toBeGreaterThanOrEqual(200);
    expect(partner.filter(isOpen)).toHaveLength(3);
    expect(server.dropped()).toBe(0);
  });

  it('keeps what a trusted caller uploads while strangers take all they can get', async () => {
    await using server = await givenServed({ ...patient, newMs: 0 }, (sent, response) => {
      trustCaller(sent, 'one');
      sent.resume().on('end', () => response.end('ok'));
    });
    const upload = await server.hold('127.0.0.1', slowForm);
    await expect.poll(() => server.open()).toBe(1);
    await Promise.all(times(300).map((_, index) => server.hold(`127.1.${index % 200}.1`)));
    upload.write('0123456789');
    const [answered] = await once(upload, 'data');
    expect(String(answered)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('closes what sends nothing while more than half are open, and nothing before', async () => {
    await using server = await givenServed({ max: 100, firstByteMs: 0 });
    const few = await Promise.all(times(50).map(() => server.hold('127.0.0.1')));
    const started = await Promise.all(times(10).map(() => server.hold('127.0.0.1', 'GET / HTTP/1.1\r\n')));
    await expect.poll(() => few.filter(isOpen).length).toBe(0);
    expect([new Set(server.closed), started.filter(isOpen).length]).toEqual([new Set(['silent']), 10]);
  });

  it('tells what it refuses although it could close nothing: connections in progress of trusted callers', async () => {
    await using server = await givenServed({ max: 20 }, (sent) => trustCaller(sent, randomUUID()));
    for (let held = 0; held < 20; held += 1) await server.hold('127.0.0.1', request);
    await expect
      .poll(async () => {
        await server.hold('127.0.0.2', request);
        return server.dropped();
      })
      .toBeGreaterThan(0);
  });
});
