import { type FeedbackToSend, type PlatformName, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { readFeedbackMessage } from './feedback-message.ts';
import { type ConsumerOptions, type QueueConsumer, queueConsumer } from './queue-consumer.ts';
import { declareFeedback, feedbackQueues } from './topology.ts';

export type FeedbackConsumer = Omit<QueueConsumer, 'underWay'>;

export interface FeedbackConsumerOptions extends ConsumerOptions {
  /** Returns when the row has been dealt with; throws when it could not be (the database is away). */
  readonly handle: (feedback: FeedbackToSend) => Promise<void>;
  /** A message that is not ours or of another version; it is dropped. */
  readonly onForeignMessage?: (platform: PlatformName) => void;
}

const traceSchema = z.object({ traceparent: z.string() }).transform(({ traceparent }) => traceparent);

/** Takes messages from every platform's queue. */
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
