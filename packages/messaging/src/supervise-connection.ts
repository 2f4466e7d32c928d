import { setTimeout as pause } from 'node:timers/promises';
import { type ChannelModel, connect } from 'amqplib';
import { checkedTls, readBrokerUrl } from './broker-server.ts';

/** A connection during setup. `fail` closes the whole connection, so that a new one is opened. */
export interface Opening {
  readonly connection: ChannelModel;
  readonly fail: (reason: unknown) => void;
}

export interface SupervisedConnection<Session> extends AsyncDisposable {
  /** The result of `open` while the connection is up. */
  current(): Session | undefined;
}

export interface Supervision<Session> {
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
