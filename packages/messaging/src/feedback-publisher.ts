import type { FeedbackToSend, PlatformName } from '@leadback/domain';
import { type ConfirmedPublisher, confirmedPublisher, type PublisherOptions } from './confirmed-publisher.ts';
import { writeFeedbackMessage } from './feedback-message.ts';
import { declareFeedbackWay, feedbackExchange, feedbackQueues } from './topology.ts';

export interface FeedbackPublisher extends AsyncDisposable, Pick<ConfirmedPublisher, 'isUp' | 'room'> {
  /**
   * Tells the workers of these rows. Gives those that the broker has confirmed; the rest (broker away or blocked, queue
   * full, nobody bound, too many under way, no answer within 10 s) stays due in PostgreSQL. Never throws.
   */
  publish(feedback: readonly FeedbackToSend[]): Promise<FeedbackToSend[]>;
  /** How many messages wait in a platform's queue; undefined while the broker is away. */
  queueLength(platform: PlatformName): Promise<number | undefined>;
}

const confirmTimeoutMs = 10_000;

/** Tells the workers what there is to send. */
export const feedbackPublisher = (options: PublisherOptions): FeedbackPublisher => {
  const publisher = confirmedPublisher({ ...options, declare: declareFeedbackWay, confirmTimeoutMs });

  const send = (feedback: FeedbackToSend): Promise<boolean> =>
    publisher.publish({
      exchange: feedbackExchange,
      routingKey: feedback.platform,
      messageId: String(feedback.feedbackId),
      type: 'feedback',
      contentType: 'application/json',
      content: writeFeedbackMessage(feedback),
    });

  return {
    async publish(feedback) {
      if (!publisher.canTake(feedback.length)) return [];
      const confirmed = await Promise.all(feedback.map(send));
      return feedback.filter((_, place) => confirmed[place]);
    },
    queueLength: (platform) => publisher.queueLength(feedbackQueues[platform]),
    room: () => publisher.room(),
    isUp: () => publisher.isUp(),
    [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose](),
  };
};
