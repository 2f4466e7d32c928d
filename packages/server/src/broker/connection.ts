import { setTimeout as pause } from 'node:timers/promises';
import { type Options, type ChannelModel, connect, type Channel } from 'amqplib';
import { z } from 'zod';

// what a URL of amqplib may say in its query
const numbers = ['heartbeat', 'channelMax', 'frameMax', 'maxFrameSize'] as const;

/** All that amqplib needs to connect. */
interface BrokerServer extends Options.Connect {
  readonly protocol: 'amqp' | 'amqps';
  readonly hostname: string;
}

const protocolOf = ({ protocol }: URL): BrokerServer['protocol'] => {
  if (protocol === 'amqp:') return 'amqp';
  if (protocol === 'amqps:') return 'amqps';
  throw new Error('expected a URL that begins with amqp:// or amqps://');
};

const numbersIn = ({ searchParams }: URL): Partial<Record<(typeof numbers)[number], number>> => {
  for (const name of searchParams.keys()) {
    if (!numbers.some((known) => known === name))
      throw new Error(`unknown parameter ${name}; allowed: ${numbers.join(', ')}`);
    if (searchParams.getAll(name).length > 1) throw new Error(`the parameter ${name} is there twice`);
    if (!/^\d{1,9}$/.test(searchParams.get(name) ?? '')) throw new Error(`the parameter ${name} is not a number`);
  }
  return Object.fromEntries(
    numbers.flatMap((name) => (searchParams.has(name) ? [[name, Number(searchParams.get(name))]] : [])),
  );
};

/**
 * The server of a URL, as an object that amqplib reads no further. Throws for any other protocol, and for parameters that
 * amqplib would ignore, which the author of the URL believes to count.
 */
export const readBrokerUrl = (text: string): BrokerServer => {
  const url = new URL(text);
  const { port, username, password, pathname } = url;
  return {
    protocol: protocolOf(url),
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port: Number(port) }),
    ...((username !== '' || password !== '') && {
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
    }),
    vhost: pathname.slice(1),
    ...numbersIn(url),
  };
};

/** Options of the socket: never left to `NODE_TLS_REJECT_UNAUTHORIZED`. */
export const checkedTls = { rejectUnauthorized: true } as const;

/** Where a connection to the broker of a URL leads, and how. */
export const brokerAddress = (url: string): { host: string; tls: 'verified' | 'none' } => {
  const { protocol, hostname } = readBrokerUrl(url);
  return { host: hostname, tls: protocol === 'amqps' ? 'verified' : 'none' };
};

/** A connection during setup. `fail` closes the whole connection, so that a new one is opened. */
export interface Opening {
  readonly connection: ChannelModel;
  readonly fail: (reason: unknown) => void;
}

interface SupervisedConnection<Session> extends AsyncDisposable {
  /** The result of `open` while the connection is up. */
  current(): Session | undefined;
}

interface Supervision<Session> {
  readonly url: string;
  readonly open: (opening: Opening) => Promise<Session>;
  readonly onUp?: (() => void) | undefined;
  readonly onDown?: ((reason: unknown) => void) | undefined;
}

const connectTimeoutMs = 5_000;
const openTimeoutMs = 10_000;
const closeTimeoutMs = 1_000;
const pauseMinMs = 100;
const pauseMaxMs = 10_000;
// a connection that failed sooner counts as unstable: the pauses keep growing
const stableAfterMs = 5_000;
// detects an unresponsive peer after about 15 s; RabbitMQ's default takes three minutes
const heartbeatSeconds = 5;

/**
 * Keeps one connection to RabbitMQ open. On any failure (an error, a close, a failed or slow setup, a call of `fail`)
 * it closes the connection and opens a new one after a pause with jitter. amqplib's own recovery misses cancelled
 * consumers and failures during setup.
 */
export const superviseConnection = <Session>(supervision: Supervision<Session>): SupervisedConnection<Session> => {
  const stopping = new AbortController();
  let session: Session | undefined;
  let failCurrent: ((reason: unknown) => void) | undefined;

  /** Opens one connection and resolves with the reason when it fails. */
  const hold = async (): Promise<unknown> => {
    const failed = Promise.withResolvers<unknown>();
    failCurrent = failed.resolve;
    let connection: ChannelModel;
    try {
      const server = { heartbeat: heartbeatSeconds, ...readBrokerUrl(supervision.url) };
      const socket = { ...checkedTls, timeout: connectTimeoutMs, noDelay: true, keepAlive: true };
      connection = await connect(server, socket);
    } catch (error) {
      return error;
    }
    connection.on('error', failed.resolve);
    connection.on('close', (error?: Error) => failed.resolve(error ?? new Error('connection closed')));
    const slow = setTimeout(() => failed.resolve(new Error('setup timed out')), openTimeoutMs);
    let hasFailed = false;
    const opened = supervision.open({ connection, fail: failed.resolve }).then((value) => {
      clearTimeout(slow);
      if (hasFailed) return;
      session = value;
      supervision.onUp?.();
    }, failed.resolve);
    const reason = await failed.promise;
    hasFailed = true;
    clearTimeout(slow);
    session = undefined;
    await Promise.race([
      Promise.allSettled([opened, connection.close()]),
      pause(closeTimeoutMs, undefined, { ref: false }),
    ]);
    return reason;
  };

  const supervise = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const since = performance.now();
      const reason = await hold();
      session = undefined;
      if (stopping.signal.aborted) return;
      supervision.onDown?.(reason);
      failures = performance.now() - since > stableAfterMs ? 1 : failures + 1;
      const ceilingMs = Math.min(pauseMaxMs, pauseMinMs * 2 ** failures);
      await pause(Math.random() * ceilingMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  const running = supervise();
  return {
    current: () => session,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      failCurrent?.('stopping');
      await running;
    },
  };
};

/** Does nothing if a refusal has closed it. */
const close = async (channel: Channel): Promise<void> => {
  try {
    await channel.close();
  } catch {
    // it has just been closed
  }
};

/**
 * Runs an operation on its own channel: a refusal closes only that channel. Throws the error of RabbitMQ; see
 * `amqpErrorCode`.
 */
export const withTemporaryChannel = async <Result>(
  connection: ChannelModel,
  run: (channel: Channel) => Promise<Result>,
): Promise<Result> => {
  const channel = await connection.createChannel();
  channel.on('error', () => {}); // the operation fails with the channel
  try {
    return await run(channel);
  } finally {
    await close(channel);
  }
};

const amqpErrorSchema = z.object({ code: z.number() });

/** The AMQP error code, such as 404 for a missing queue; undefined for other errors. */
export const amqpErrorCode = (error: unknown): number | undefined => amqpErrorSchema.safeParse(error).data?.code;
