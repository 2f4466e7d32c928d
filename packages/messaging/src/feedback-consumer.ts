import { type FeedbackToSend, type PlatformName, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { readFeedbackMessage } from './feedback-message.ts';
import { type ConsumerOptions, type QueueConsumer, queueConsumer } from './queue-consumer.ts';
import { declareFeedback, feedbackQueues } from './topology.ts';

export type FeedbackConsumer = Omit<QueueConsumer, 'underWay'>;

export interface FeedbackConsumerOptions extends ConsumerOptions {
  /** Throws if the delivery could not be handled now (PostgreSQL is unavailable): the message is redelivered. */
  readonly handle: (feedback: FeedbackToSend) => Promise<void>;
  /** Called for an unknown message or version; it is dropped. */
  readonly onForeignMessage?: (platform: PlatformName) => void;
}

const traceSchema = z.object({ traceparent: z.string() }).transform(({ traceparent }) => traceparent);

/** Consumes the queues of all platforms. */
export const feedbackConsumer = ({
  handle,
  onForeignMessage,
  ...options
}: FeedbackConsumerOptions): FeedbackConsumer => {
  const platformOf = new Map(platformNames.map((platform) => [feedbackQueues[platform], platform]));
  return queueConsumer({
    ...options,
    queues: [...platformOf.keys()],
    declare: declareFeedback,
    async handle(content, queue, headers) {
      const platform = platformOf.get(queue) ?? platformNames[0];
      const message = readFeedbackMessage(content);
      if (message !== undefined)
        await handle({ ...message, platform, traceParent: traceSchema.safeParse(headers).data });
      else onForeignMessage?.(platform);
      return 'done';
    },
  });
};
