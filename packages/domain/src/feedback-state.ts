/** pending → delivered | failed | skipped. A row that waits for its next attempt is pending. */
export const feedbackStates = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type FeedbackState = (typeof feedbackStates)[number];

/**
 * What came of one attempt. throttled: the platform only asks for fewer requests. requeued: nothing was sent; an operator
 * wants the row to be tried again.
 */
export const attemptOutcomes = ['delivered', 'rejected', 'unavailable', 'throttled', 'refused', 'requeued'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
