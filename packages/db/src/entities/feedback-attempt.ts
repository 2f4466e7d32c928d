import { attemptOutcomes } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Feedback } from './feedback.ts';

const FeedbackAttemptSchema = defineEntity({
  name: 'FeedbackAttempt',
  tableName: 'feedback_attempt',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false),
    feedback: () => p.manyToOne(Feedback).ref().createForeignKeyConstraint(false).index(),
    outcome: p.enum(attemptOutcomes),
    reason: p.text().nullable(),
    httpStatus: p.integer().nullable(),
    /** The platform's response: at most 2 KB, without secrets or personal data. */
    answer: p.text().nullable(),
    durationMs: p.integer(),
    /** The platform's id of the request, if it reports a request status. */
    platformRequest: p.text().nullable(),
    /** The table is partitioned by it, per month, so that old partitions can be dropped; hence part of the key. */
    createdAt: p.datetime(6).primary().defaultRaw('now()'),
  },
  indexes: [{ properties: ['platformRequest'], where: 'platform_request is not null' }],
});

export class FeedbackAttempt extends FeedbackAttemptSchema.class {}
FeedbackAttemptSchema.setClass(FeedbackAttempt);
