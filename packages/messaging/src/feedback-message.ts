import type { FeedbackToSend } from '@leadback/domain';
import { z } from 'zod';

/** The message names the row; the row says what is to be done. Nothing personal travels through the broker. */
const feedbackMessageSchema = z.object({
  v: z.literal(1),
  feedbackId: z.int().positive(),
  connectionId: z.int().positive().optional(),
});

export const writeFeedbackMessage = ({ feedbackId, connectionId }: FeedbackToSend): Buffer =>
  Buffer.from(JSON.stringify({ v: 1, feedbackId, connectionId } satisfies z.infer<typeof feedbackMessageSchema>));

/** Gives what the message says, or undefined for one that is not ours or of another version. */
export const readFeedbackMessage = (content: Buffer): Omit<FeedbackToSend, 'platform'> | undefined => {
  try {
    const { feedbackId, connectionId } = feedbackMessageSchema.parse(JSON.parse(content.toString()));
    return { feedbackId, connectionId };
  } catch {
    return undefined;
  }
};
