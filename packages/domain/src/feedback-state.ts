/** pending → delivered | failed | skipped. A row that waits for its next attempt is pending. */
export const feedbackStates = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type FeedbackState = (typeof feedbackStates)[number];
