/** pending → delivered | failed | skipped. A delivery that waits for a retry is pending. */
export const feedbackStates = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type FeedbackState = (typeof feedbackStates)[number];

/**
 * Outcome of an attempt. throttled: the platform only asks for fewer requests. requeued: not an attempt; an operator
 * requested a retry.
 */
export const attemptOutcomes = ['delivered', 'rejected', 'unavailable', 'throttled', 'refused', 'requeued'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
