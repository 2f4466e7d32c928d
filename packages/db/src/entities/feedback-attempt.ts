import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Feedback } from './feedback.ts';

const attemptOutcomes = ['delivered', 'rejected', 'unavailable', 'refused'] as const;

const FeedbackAttemptSchema = defineEntity({
  name: 'FeedbackAttempt',
  tableName: 'feedback_attempt',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    feedback: () => p.manyToOne(Feedback).ref().index(),
    outcome: p.enum(attemptOutcomes),
    reason: p.text().nullable(),
    httpStatus: p.integer().nullable(),
    /** The platform's words: at most 2 KB, without secrets or personal data. */
    answer: p.text().nullable(),
    durationMs: p.integer(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class FeedbackAttempt extends FeedbackAttemptSchema.class {}
FeedbackAttemptSchema.setClass(FeedbackAttempt);
