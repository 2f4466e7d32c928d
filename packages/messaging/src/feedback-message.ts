import type { FeedbackToSend } from '@leadback/domain';
import { z } from 'zod';

/** The message only has ids: the data stays in PostgreSQL, and no personal data passes through RabbitMQ. */
const feedbackMessageSchema = z.object({
  v: z.literal(1),
  feedbackId: z.int().positive(),
  connectionId: z.int().positive().optional(),
});

export const writeFeedbackMessage = ({ feedbackId, connectionId }: FeedbackToSend): Buffer =>
  Buffer.from(JSON.stringify({ v: 1, feedbackId, connectionId } satisfies z.infer<typeof feedbackMessageSchema>));

/** Returns undefined for unknown messages and versions. */
export const readFeedbackMessage = (content: Buffer): Omit<FeedbackToSend, 'platform'> | undefined => {
  try {
    const { feedbackId, connectionId } = feedbackMessageSchema.parse(JSON.parse(content.toString()));
    return { feedbackId, connectionId };
  } catch {
    return undefined;
  }
};
