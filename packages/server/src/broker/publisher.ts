import { setTimeout as pause } from 'node:timers/promises';
import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';
import { withTemporaryChannel, superviseConnection } from './connection.ts';

/** The messages whose confirms a publisher waits for. */
interface AwaitedConfirms {
  readonly count: () => number;
  readonly begin: (messageId: string) => void;
  /** RabbitMQ returned the message: no queue is bound. It confirms it too, afterwards. */
  readonly returned: (messageId: string) => void;
  /** Ends waiting, and forgets the message. Returns whether it was returned. */
  readonly end: (messageId: string) => boolean;
}

export const awaitedConfirms = (): AwaitedConfirms => {
  const isReturned = new Map<string, boolean>();
  return {
    count: () => isReturned.size,
    begin: (messageId) => isReturned.set(messageId, false),
    returned: (messageId) => {
      // nobody asks for one that is returned after its time-out
      if (isReturned.has(messageId)) isReturned.set(messageId, true);
    },
    end: (messageId) => {
      const wasReturned = isReturned.get(messageId) ?? false;
      isReturned.delete(messageId);
      return wasReturned;
    },
  };
};

// after a confirm timeout, nothing is published until a confirm arrives, or for this long
const muteMs = 5_000;
// Then only a new channel may help: each keeps where the leader of its queue was. RabbitMQ 3.10 rejects all messages of one that
// was opened right after the leader's node was lost, until that node is back, and some versions up to 4.1 confirm nothing
// after a partition (rabbitmq-server #14589). A queue that is full rejects messages too, which a new channel does not change,
// so the patience grows.
const patienceMinMs = 5_000;
const patienceMaxMs = 60_000;

/** Whether RabbitMQ confirms the messages of one channel. `sentAt` is of `performance.now()`. */
interface ConfirmWatch {
  confirmed(): void;
  /** Returns why the channel should be given up, if it should. */
  rejected(sentAt: number): Error | undefined;
  /** The message was neither confirmed nor rejected in time. Returns the same. */
  timedOut(sentAt: number): Error | undefined;
  /** RabbitMQ has blocked its publishers, or goes on. */
  setBlocked(isBlocked: boolean): void;
  /** Whether a message would probably be confirmed in time. */
  isOpen(): boolean;
}

/** Returns a function that watches a new channel. Each has longer than the one before, until a message is confirmed. */
export const confirmWatches = (): (() => ConfirmWatch) => {
  let patienceMs = patienceMinMs;

  return () => {
    let isBlocked = false;
    let mutedUntil = 0;
    let confirmedAt = performance.now();
    let nothingSince = Number.POSITIVE_INFINITY;
    const restart = (): void => {
      confirmedAt = performance.now();
      nothingSince = Number.POSITIVE_INFINITY;
    };
    const reasonToGiveUp = (sentAt: number, what: string): Error | undefined => {
      nothingSince = Math.min(nothingSince, Math.max(sentAt, confirmedAt));
      const forMs = performance.now() - nothingSince;
      if (isBlocked || forMs < patienceMs) return undefined;
      patienceMs = Math.min(patienceMs * 2, patienceMaxMs);
      return new Error(`${what} for ${Math.round(forMs / 1_000)} s`);
    };

    return {
      confirmed: () => {
        mutedUntil = 0;
        patienceMs = patienceMinMs;
        restart();
      },
      rejected: (sentAt) => {
        mutedUntil = 0;
        return reasonToGiveUp(sentAt, 'rejected all messages (the queue is full, or its leader is lost)');
      },
      timedOut: (sentAt) => {
        mutedUntil = performance.now() + muteMs;
        return reasonToGiveUp(sentAt, 'confirmed no message');
      },
      setBlocked: (blocked) => {
        isBlocked = blocked;
        restart();
      },
      isOpen: () => !isBlocked && performance.now() >= mutedUntil,
    };
  };
};

interface ConfirmedMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly messageId: string;
  readonly type: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** W3C `traceparent`, if it is traced. */
  readonly traceParent?: string | undefined;
}

export interface ConfirmedPublisher extends AsyncDisposable {
  /**
   * Returns whether RabbitMQ confirmed the message. False if RabbitMQ is unavailable or blocked, the queue is full, no
   * queue is bound, too many messages are unconfirmed, or no confirm arrived in time. Never throws.
   */
  publish(message: ConfirmedMessage): Promise<boolean>;
  /** Length of a queue; undefined if RabbitMQ does not respond within half a second, or still owes the response before. */
  queueLength(queue: string): Promise<number | undefined>;
  /** Whether RabbitMQ accepts messages, as far as this process knows. */
  isUp(): boolean;
  /** Whether `publish` would send a message now; otherwise it returns false without sending it. */
  canTake(): boolean;
}

export interface PublisherOptions {
  readonly url: string;
  readonly onUp?: () => void;
  readonly onDown?: (reason: unknown) => void;
}

interface ConfirmedPublisherOptions extends PublisherOptions {
  readonly declare: (channel: Channel, connection: ChannelModel) => Promise<void>;
  readonly confirmTimeoutMs: number;
  /** RabbitMQ rejected a message: its queue is full. */
  readonly onRejected?: (() => void) | undefined;
}

interface Session {
  readonly connection: ChannelModel;
  readonly channel: ConfirmChannel;
  readonly awaited: AwaitedConfirms;
  readonly fail: (reason: unknown) => void;
  readonly watch: ConfirmWatch;
  /** The queues whose length RabbitMQ has been asked for and not told yet. */
  readonly asked: Set<string>;
}

const unconfirmedMax = 1_000;
const responseMaxMs = 500;

// amqplib also fails the confirms of a channel that closes, and has no other difference
const isNack = (error: unknown): boolean => error instanceof Error && error.message === 'message nacked';

/** A publisher with its own connection, so that back-pressure on consumers does not block it. */
export const confirmedPublisher = (options: ConfirmedPublisherOptions): ConfirmedPublisher => {
  const { url, declare, confirmTimeoutMs, onRejected, onUp, onDown } = options;
  const watchNext = confirmWatches();

  const supervised = superviseConnection<Session>({
    url,
    onUp,
    onDown,
    async open({ connection, fail }) {
      const watch = watchNext();
      connection.on('blocked', () => watch.setBlocked(true));
      connection.on('unblocked', () => watch.setBlocked(false));
      const channel = await connection.createConfirmChannel();
      const awaited = awaitedConfirms();
      channel.on('error', fail);
      channel.on('close', () => fail(new Error('channel closed')));
      // RabbitMQ confirms unroutable messages too, but returns them first
      let isDeclaring = false;
      channel.on('return', (message) => {
        awaited.returned(String(message.properties.messageId));
        if (isDeclaring) return;
        isDeclaring = true; // again: a declaration was deleted, or a queue does not exist yet
        declare(channel, connection)
          .catch(fail)
          .finally(() => {
            isDeclaring = false;
          });
      });
      await declare(channel, connection);
      return { connection, channel, awaited, fail, watch, asked: new Set() };
    },
  });

  const isUp = () => supervised.current()?.watch.isOpen() === true;
  const canTake = () => isUp() && (supervised.current()?.awaited.count() ?? 0) < unconfirmedMax;

  const send = async (session: Session, message: ConfirmedMessage): Promise<boolean> => {
    const { channel, awaited, watch } = session;
    const failIf = (reason: Error | undefined) => reason && session.fail(reason);
    const { exchange, routingKey, content, messageId, type, contentType, traceParent } = message;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const sentAt = performance.now();
    const timer = setTimeout(() => {
      failIf(watch.timedOut(sentAt));
      resolve(false);
    }, confirmTimeoutMs);
    awaited.begin(messageId);
    try {
      const properties = {
        mandatory: true,
        persistent: true,
        messageId,
        type,
        contentType,
        timestamp: Math.floor(Date.now() / 1000),
        appId: 'leadback',
        ...(traceParent !== undefined && { headers: { traceparent: traceParent } }),
      };
      channel.publish(exchange, routingKey, content, properties, (error: unknown) => {
        if (isNack(error)) {
          onRejected?.();
          failIf(watch.rejected(sentAt));
        } else if (!error) watch.confirmed();
        resolve(!error);
      });
      const isConfirmed = await promise;
      return !awaited.end(messageId) && isConfirmed;
    } catch {
      return false; // the channel has just closed
    } finally {
      clearTimeout(timer);
      awaited.end(messageId);
    }
  };

  /** Each question has a channel, and RabbitMQ may respond to none until its connection is given up: asks one at a time. */
  const lengthOf = async ({ connection, asked }: Session, name: string): Promise<number | undefined> => {
    if (asked.has(name)) return undefined;
    asked.add(name);
    try {
      return (await withTemporaryChannel(connection, (channel) => channel.checkQueue(name))).messageCount;
    } catch {
      return undefined;
    } finally {
      asked.delete(name);
    }
  };

  return {
    async publish(message) {
      const session = supervised.current();
      return session && canTake() ? send(session, message) : false;
    },
    async queueLength(name) {
      const session = supervised.current();
      if (!session) return undefined;
      return Promise.race([lengthOf(session, name), pause(responseMaxMs, undefined, { ref: false })]);
    },
    canTake,
    isUp,
    [Symbol.asyncDispose]: () => supervised[Symbol.asyncDispose](),
  };
};
