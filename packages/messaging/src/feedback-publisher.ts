import type { FeedbackToSend, PlatformName } from '@leadback/domain';
import { continueTrace, markFailed, SpanKind, traceParentOf } from '@leadback/tracing';
import { type ConfirmedPublisher, confirmedPublisher, type PublisherOptions } from './confirmed-publisher.ts';
import { writeFeedbackMessage } from './feedback-message.ts';
import { declarePublisherTopology, feedbackExchange, feedbackQueues } from './topology.ts';

export interface FeedbackPublisher extends AsyncDisposable, Pick<ConfirmedPublisher, 'isUp' | 'room'> {
  /**
   * Publishes deliveries and returns the confirmed ones. The others stay due in PostgreSQL: RabbitMQ is unavailable or
   * blocked, a queue is full or not bound, too many messages are unconfirmed, or no confirm arrived within 10 s. Never
   * throws.
   */
  publish(feedback: readonly FeedbackToSend[]): Promise<FeedbackToSend[]>;
  /** Length of a platform's queue; undefined if RabbitMQ is unavailable. */
  queueLength(platform: PlatformName): Promise<number | undefined>;
}

const confirmTimeoutMs = 10_000;

export const feedbackPublisher = (options: PublisherOptions): FeedbackPublisher => {
  const publisher = confirmedPublisher({ ...options, declare: declarePublisherTopology, confirmTimeoutMs });

  const send = async (feedback: FeedbackToSend): Promise<boolean> => {
    const { platform, feedbackId, traceParent } = feedback;
    const messageId = String(feedbackId);
    const destination = `${feedbackExchange}:${platform}`;
    const span = continueTrace(traceParent, `send ${destination}`, {
      kind: SpanKind.PRODUCER,
      attributes: {
        'messaging.system': 'rabbitmq',
        'messaging.operation.name': 'send',
        'messaging.operation.type': 'send',
        'messaging.destination.name': destination,
        'messaging.rabbitmq.destination.routing_key': platform,
        'messaging.message.id': messageId,
      },
    });
    const isConfirmed = await publisher.publish({
      exchange: feedbackExchange,
      routingKey: platform,
      messageId,
      type: 'feedback',
      contentType: 'application/json',
      content: writeFeedbackMessage(feedback),
      traceParent: traceParentOf(span),
    });
    if (!isConfirmed) markFailed(span, 'not_confirmed');
    span.end();
    return isConfirmed;
  };

  return {
    async publish(feedback) {
      if (!publisher.canTake(feedback.length)) return [];
      const confirmed = await Promise.all(feedback.map(send));
      return feedback.filter((_, index) => confirmed[index]);
    },
    queueLength: (platform) => publisher.queueLength(feedbackQueues[platform]),
    room: () => publisher.room(),
    isUp: () => publisher.isUp(),
    [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose](),
  };
};
