import { createServer, type RequestListener } from 'node:http';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type LocalBroker, startRabbitmq } from './stack/index.ts';
import { inject } from 'vitest';
import './contexts.ts';
import { unique } from './saved.ts';

export interface TestServer extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
}

/** Serves on a free port of 127.0.0.1. */
export const givenServer = async (listener: RequestListener): Promise<TestServer> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a TCP address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** A RabbitMQ of its own, which the test may kill. */
export const givenBroker = async (parent = inject('temporaryFolder')): Promise<LocalBroker> =>
  startRabbitmq({ dir: await mkdtemp(join(parent, 'broker-')) });

const asked = async (...command: readonly string[]): Promise<string> => {
  const url = new URL(inject('sharedBrokerUrl'));
  for (const argument of command) url.searchParams.append('argument', argument);
  const response = await fetch(url, { method: 'POST' });
  const body = await response.text();
  if (!response.ok) throw new Error(`the shared RabbitMQ refuses: ${body}`);
  return body;
};

/** The URL of a new virtual host on the RabbitMQ that all tests share. */
export const givenVirtualHost = (): Promise<string> => asked();

/** Runs rabbitmqctl on the RabbitMQ that all tests share, for a virtual host of the test. */
export const ctlOfVirtualHost = (url: string, command: string, ...args: string[]): Promise<string> =>
  asked(command, '--vhost', decodeURIComponent(new URL(url).pathname.slice(1)), ...args);

interface VirtualHost {
  readonly name: string;
  /** For the administrator. */
  readonly url: string;
}

/** Returns a virtual host that nobody else uses. */
export type NextVirtualHost = () => Promise<VirtualHost>;

const addedTogether = 8;

/** Adds virtual hosts to a RabbitMQ before they are needed: several take half a second of a core, as one does. */
export const virtualHostsInAdvance = (broker: LocalBroker): NextVirtualHost => {
  const ready: VirtualHost[] = [];
  let adding: Promise<void> | undefined;

  const add = async (): Promise<void> => {
    const names = Array.from({ length: addedTogether }, () => unique('host'));
    const urls = await broker.addVirtualHosts(names);
    for (const [index, url] of urls.entries()) ready.push({ name: names[index] ?? '', url });
  };

  const next: NextVirtualHost = async () => {
    const host = ready.shift();
    if (host) return host;
    adding ??= add().finally(() => (adding = undefined));
    await adding;
    return next();
  };
  return next;
};

/**
 * Each POST returns the URL of a new virtual host, or the output of rabbitmqctl if it names arguments. RabbitMQ starts
 * at the first request, because a start costs three CPU seconds.
 */
export const sharedBroker = async (dir: string): Promise<TestServer> => {
  const start = async () => {
    const broker = await startRabbitmq({ dir });
    return { broker, nextHost: virtualHostsInAdvance(broker) };
  };
  let starting: ReturnType<typeof start> | undefined;
  const answerTo = async (path: string) => {
    starting ??= start();
    const { broker, nextHost } = await starting;
    const command = new URL(path, 'http://localhost').searchParams.getAll('argument');
    return command.length > 0 ? broker.ctl(...command) : (await nextHost()).url;
  };
  const server = await givenServer((request, response) => {
    answerTo(request.url ?? '').then(
      (answer) => response.end(answer),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await (await starting)?.broker.stop();
    },
  };
};

/** Sends bytes, keeps the connection open, and returns all that the server sends until it closes the connection. */
export const rawAnswer = async (port: number, wire: string): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {}); // a server that closes at once may reset the connection
  socket.write(wire, 'latin1');
  return (await buffer(socket).catch(() => Buffer.alloc(0))).toString('latin1');
};

/** Connections to a server, which stay open until they are disposed, unless the server closes them. */
export const givenSockets = (port: number) => {
  const sockets: Socket[] = [];
  return {
    /** The statuses of the responses to the same request, sent so many times on a new connection. */
    ask: (request: string, count: number) =>
      new Promise<number[]>((resolve) => {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        sockets.push(socket);
        socket.write(request.repeat(count));
        let answers = '';
        const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
        socket.on('data', (chunk) => {
          answers += String(chunk);
          if (statuses().length === count) resolve(statuses());
        });
        socket.on('close', () => resolve(statuses()));
      }),
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
    },
  };
};

const silenceMs = 250;
// for a slow machine
const timeoutMs = 10_000;

/** Sends arbitrary bytes and returns the response. A request that never ends is ended. */
export const answerToBytes = async (port: number, wire: Buffer, endAfterMs = silenceMs): Promise<Buffer> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.setTimeout(endAfterMs, () => socket.end());
  socket.write(wire);
  const answer = await buffer(socket);
  return answer.length === 0 && endAfterMs < timeoutMs ? answerToBytes(port, wire, timeoutMs) : answer;
};
