import type { FeedbackToSend, PlatformName } from '@leadback/domain';
import type { ConfirmChannel } from 'amqplib';
import { writeFeedbackMessage } from './feedback-message.ts';
import { superviseConnection } from './supervise-connection.ts';
import { declareTopology, feedbackExchange, feedbackQueues } from './topology.ts';

export interface FeedbackPublisher extends AsyncDisposable {
  /**
   * Tells the workers of these rows. Gives those that the broker has confirmed; the rest (broker away or blocked, queue
   * full, nobody bound, too many under way, no answer within 10 s) stays due in PostgreSQL. Never throws.
   */
  publish(feedback: readonly FeedbackToSend[]): Promise<FeedbackToSend[]>;
  /** How many messages wait in a platform's queue; undefined while the broker is away. */
  queueLength(platform: PlatformName): Promise<number | undefined>;
  isUp(): boolean;
  /** How many more may be handed to `publish` before it leaves some of them due. */
  room(): number;
}

export interface PublisherOptions {
  readonly url: string;
  readonly onUp?: () => void;
  readonly onDown?: (reason: unknown) => void;
}

interface Session {
  readonly channel: ConfirmChannel;
  readonly unroutable: Set<string>;
}

const unconfirmedMax = 1_000;
const confirmTimeoutMs = 10_000;

/** A publisher with a connection of its own, so that a consumer's back-pressure never holds it back. */
export const feedbackPublisher = ({ url, onUp, onDown }: PublisherOptions): FeedbackPublisher => {
  let isBlocked = false;
  let unconfirmed = 0;

  const supervised = superviseConnection<Session>({
    url,
    onUp,
    onDown,
    async open({ connection, fail }) {
      isBlocked = false;
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
      channel.on('return', (message) => unroutable.add(String(message.properties.messageId)));
      await declareTopology(channel);
      return { channel, unroutable };
    },
  });

  const send = async ({ channel, unroutable }: Session, feedback: FeedbackToSend): Promise<boolean> => {
    const messageId = String(feedback.feedbackId);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), confirmTimeoutMs);
    unconfirmed += 1;
    try {
      const options = {
        mandatory: true,
        persistent: true,
        messageId,
        type: 'feedback',
        contentType: 'application/json',
        timestamp: Math.floor(Date.now() / 1000),
        appId: 'leadback',
      };
      channel.publish(feedbackExchange, feedback.platform, writeFeedbackMessage(feedback), options, (error: unknown) =>
        resolve(!error),
      );
      return (await promise) && !unroutable.delete(messageId);
    } catch {
      return false; // the channel has just closed
    } finally {
      clearTimeout(timer);
      unconfirmed -= 1;
    }
  };

  return {
    async publish(feedback) {
      const session = supervised.current();
      if (!session || isBlocked || unconfirmed + feedback.length > unconfirmedMax) return [];
      const confirmed = await Promise.all(feedback.map((one) => send(session, one)));
      return feedback.filter((_, place) => confirmed[place]);
    },
    async queueLength(platform) {
      const session = supervised.current();
      const queue = await session?.channel.checkQueue(feedbackQueues[platform]).catch(() => undefined);
      return queue?.messageCount;
    },
    room: () => unconfirmedMax - unconfirmed,
    isUp: () => supervised.current() !== undefined && !isBlocked,
    [Symbol.asyncDispose]: () => supervised[Symbol.asyncDispose](),
  };
};
