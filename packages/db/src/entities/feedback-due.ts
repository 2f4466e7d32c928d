import { defineEntity, p } from '@mikro-orm/core';

const FeedbackDueSchema = defineEntity({
  name: 'FeedbackDue',
  tableName: 'feedback_due',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    accountId: p.bigint('number'),
    connectionId: p.bigint('number'),
    isTest: p.boolean().default(false),
    /** 1-200 deliveries of one connection and mode. An open delivery is in exactly one parcel. */
    feedbackIds: p.array(Number).columnType('bigint[]'),
    phase: p.enum(['waiting', 'claimed']).default('waiting'),
    /** waiting: the earliest claim. claimed: the end of the lease. */
    notBefore: p.datetime(6).defaultRaw('now()'),
    /** How often it was claimed: what a worker that lost its claim says of it counts no more. */
    claim: p.integer().default(0),
    /** Leases in a row that ended without a settlement: their workers crashed. */
    claimsLost: p.integer().default(0),
    /** Since when the delivery that was retried longest has been retried. */
    retryFrom: p.datetime(6).defaultRaw('now()'),
    /** When the oldest sale in it occurred. */
    oldestAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [
    { properties: ['connectionId', 'notBefore'] },
    { name: 'feedback_due_suspect_index', properties: ['notBefore'], where: 'claims_lost >= 2' },
  ],
});

/** A parcel of open deliveries. Closed deliveries are in no parcel. It has no foreign keys to check on each claim. */
export class FeedbackDue extends FeedbackDueSchema.class {}
FeedbackDueSchema.setClass(FeedbackDue);
