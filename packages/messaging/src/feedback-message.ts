import type { FeedbackToSend } from '@leadback/domain';
import { z } from 'zod';

/** The message names the row; the row says what is to be done. Nothing personal travels through the broker. */
const feedbackMessageSchema = z.object({ v: z.literal(1), feedbackId: z.int().positive() });

export const writeFeedbackMessage = ({ feedbackId }: FeedbackToSend): Buffer =>
  Buffer.from(JSON.stringify({ v: 1, feedbackId } satisfies z.infer<typeof feedbackMessageSchema>));

/** Gives the feedback's id, or undefined for a message that is not ours or of another version. */
export const readFeedbackMessage = (content: Buffer): number | undefined => {
  try {
    return feedbackMessageSchema.parse(JSON.parse(content.toString())).feedbackId;
  } catch {
    return undefined;
  }
};
