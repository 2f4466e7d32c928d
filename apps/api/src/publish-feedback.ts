import type { FeedbackToSend } from '@leadback/domain';
import type { FeedbackPublisher } from '@leadback/messaging';
import type { ApiEvents } from './events.ts';

interface Publishing {
  readonly publisher: Pick<FeedbackPublisher, 'publish'>;
  readonly events: Pick<ApiEvents, 'feedbackPublished'>;
}

/** Publishes deliveries to the workers. Unconfirmed ones stay due. Never throws. */
export const publishFeedback = async (
  { publisher, events }: Publishing,
  by: 'request' | 'relay',
  feedback: readonly FeedbackToSend[],
): Promise<void> => {
  const since = performance.now();
  const confirmed = await publisher.publish(feedback);
  const durationMs = performance.now() - since;
  events.feedbackPublished(by, { confirmed: confirmed.length, of: feedback.length, durationMs });
};
