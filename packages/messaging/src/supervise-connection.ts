import { setTimeout as pause } from 'node:timers/promises';
import { type ChannelModel, connect } from 'amqplib';

/** A connection being set up. `fail` gives the whole connection up, whatever the reason, so that it is built anew. */
export interface Opening {
  readonly connection: ChannelModel;
  readonly fail: (reason: unknown) => void;
}

export interface SupervisedConnection<Session> extends AsyncDisposable {
  /** What `open` gave, while the connection holds. */
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
// a connection that fell sooner did not hold: the pauses go on growing
const heldAfterMs = 5_000;
// notices a silent peer after about 15 s; the broker's own default takes three minutes
const heartbeatSeconds = 5;

const withHeartbeat = (url: string) => {
  const address = new URL(url);
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(heartbeatSeconds));
  return address.href;
};

/**
 * Keeps one connection to RabbitMQ alive. Anything odd (an error, a close, a failed or slow set-up, whatever `open`
 * reports) drops the whole connection and builds it again after a pause with jitter. amqplib's own recovery misses
 * cancelled consumers and connections that fall while they are set up.
 */
export const superviseConnection = <Session>(supervision: Supervision<Session>): SupervisedConnection<Session> => {
  const stopping = new AbortController();
  let session: Session | undefined;
  let fall: ((reason: unknown) => void) | undefined;

  /** Builds one connection and holds it until it falls. Resolves with the reason. */
  const hold = async (): Promise<unknown> => {
    const fallen = Promise.withResolvers<unknown>();
    fall = fallen.resolve;
    let connection: ChannelModel;
    try {
      connection = await connect(withHeartbeat(supervision.url), {
        timeout: connectTimeoutMs,
        noDelay: true,
        keepAlive: true,
      });
    } catch (error) {
      return error;
    }
    connection.on('error', fallen.resolve);
    connection.on('close', (error?: Error) => fallen.resolve(error ?? new Error('connection closed')));
    const slow = setTimeout(() => fallen.resolve(new Error('set-up took too long')), openTimeoutMs);
    let hasFallen = false;
    const opened = supervision.open({ connection, fail: fallen.resolve }).then((value) => {
      clearTimeout(slow);
      if (hasFallen) return;
      session = value;
      supervision.onUp?.();
    }, fallen.resolve);
    const reason = await fallen.promise;
    hasFallen = true;
    clearTimeout(slow);
    session = undefined;
    await Promise.race([
      Promise.allSettled([opened, connection.close()]),
      pause(closeTimeoutMs, undefined, { ref: false }),
    ]);
    return reason;
  };

  const keep = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const since = performance.now();
      const reason = await hold();
      session = undefined;
      if (stopping.signal.aborted) return;
      supervision.onDown?.(reason);
      failures = performance.now() - since > heldAfterMs ? 1 : failures + 1;
      const ceilingMs = Math.min(pauseMaxMs, pauseMinMs * 2 ** failures);
      await pause(Math.random() * ceilingMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  const kept = keep();
  return {
    current: () => session,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      fall?.('stopping');
      await kept;
    },
  };
};
