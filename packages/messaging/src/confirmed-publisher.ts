import { setTimeout as pause } from 'node:timers/promises';
import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';
import { withTemporaryChannel } from './with-temporary-channel.ts';
import { superviseConnection } from './supervise-connection.ts';

export interface ConfirmedMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly messageId: string;
  readonly type: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** W3C `traceparent` of what it follows from, where that is traced. */
  readonly traceParent?: string | undefined;
}

export interface ConfirmedPublisher extends AsyncDisposable {
  /**
   * Gives whether the broker has confirmed that it keeps the message. It has not when it is away or blocked, its queue is
   * full, nobody is bound, too many are under way, or no answer came in time. Never throws.
   */
  publish(message: ConfirmedMessage): Promise<boolean>;
  /** How many messages wait in a queue; undefined while the broker is away or does not answer within half a second. */
  queueLength(queue: string): Promise<number | undefined>;
  /** Whether the broker takes messages, as far as we know. */
  isUp(): boolean;
  /** How many more may be handed to `publish` before it gives false for want of room. */
  room(): number;
  /** Whether so many messages would be sent now; `publish` gives false without sending any that would not. */
  canTake(messages: number): boolean;
}

export interface PublisherOptions {
  readonly url: string;
  readonly onUp?: () => void;
  readonly onDown?: (reason: unknown) => void;
}

interface ConfirmedPublisherOptions extends PublisherOptions {
  readonly declare: (channel: Channel, connection: ChannelModel) => Promise<void>;
  readonly confirmTimeoutMs: number;
}

interface Session {
  readonly connection: ChannelModel;
  readonly channel: ConfirmChannel;
  readonly unroutable: Set<string>;
}

const unconfirmedMax = 1_000;
const answerMaxMs = 500;
// a broker that did not confirm in time is left alone until it does, or for so long
const muteMs = 5_000;

/** A publisher with a connection of its own, so that a consumer's back-pressure never holds it back. */
export const confirmedPublisher = (options: ConfirmedPublisherOptions): ConfirmedPublisher => {
  const { url, declare, confirmTimeoutMs, onUp, onDown } = options;
  let isBlocked = false;
  let muteUntil = 0;
  let unconfirmed = 0;

  const supervised = superviseConnection<Session>({
    url,
    onUp,
    onDown,
    async open({ connection, fail }) {
      isBlocked = false;
      muteUntil = 0;
      connection.on('blocked', () => {
        isBlocked = true;
      });
      connection.on('unblocked', () => {
        isBlocked = false;
      });
      const channel = await connection.createConfirmChannel();
      const unroutable = new Set<string>();
      channel.on('error', fail);
      channel.on('close', () => fail(new Error('channel closed')));
      // the broker confirms what it could not route as well, but returns it first
      let isDeclaring = false;
      channel.on('return', (message) => {
        unroutable.add(String(message.properties.messageId));
        if (isDeclaring) return;
        isDeclaring = true; // again: somebody has taken away what was declared, or a queue has yet to be made
        declare(channel, connection)
          .catch(fail)
          .finally(() => {
            isDeclaring = false;
          });
      });
      await declare(channel, connection);
      return { connection, channel, unroutable };
    },
  });

  const isUp = () => supervised.current() !== undefined && !isBlocked && performance.now() >= muteUntil;
  const room = () => unconfirmedMax - unconfirmed;
  const canTake = (messages: number) => isUp() && messages <= room();

  const send = async ({ channel, unroutable }: Session, message: ConfirmedMessage): Promise<boolean> => {
    const { exchange, routingKey, content, messageId, type, contentType, traceParent } = message;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => {
      muteUntil = performance.now() + muteMs;
      resolve(false);
    }, confirmTimeoutMs);
    unconfirmed += 1;
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
        muteUntil = 0;
        resolve(!error);
      });
      return (await promise) && !unroutable.delete(messageId);
    } catch {
      return false; // the channel has just closed
    } finally {
      clearTimeout(timer);
      unconfirmed -= 1;
    }
  };

  return {
    async publish(message) {
      const session = supervised.current();
      return session && canTake(1) ? send(session, message) : false;
    },
    async queueLength(queue) {
      const session = supervised.current();
      if (!session) return undefined;
      const asked = withTemporaryChannel(session.connection, (channel) => channel.checkQueue(queue)).catch(
        () => undefined,
      );
      const answered = await Promise.race([asked, pause(answerMaxMs, undefined, { ref: false })]);
      return answered?.messageCount;
    },
    room,
    canTake,
    isUp,
    [Symbol.asyncDispose]: () => supervised[Symbol.asyncDispose](),
  };
};
