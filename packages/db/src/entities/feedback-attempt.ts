import { attemptOutcomes } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Feedback } from './feedback.ts';

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
    /** By which the platform knows the request, where it says later what became of it. */
    platformRequest: p.text().nullable(),
    /** By it the table is partitioned, by month, so that old ones can be dropped: hence a part of the key. */
    createdAt: p.datetime(6).primary().defaultRaw('now()'),
  },
  indexes: [{ properties: ['platformRequest'], where: 'platform_request is not null' }],
});

export class FeedbackAttempt extends FeedbackAttemptSchema.class {}
FeedbackAttemptSchema.setClass(FeedbackAttempt);
