import { feedbackStates } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Conversion } from './conversion.ts';
import { PlatformConnection } from './platform-connection.ts';

const FeedbackSchema = defineEntity({
  name: 'Feedback',
  tableName: 'feedback',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().index(),
    conversion: () => p.manyToOne(Conversion).ref(),
    connection: () => p.manyToOne(PlatformConnection).ref(),
    state: p.enum(feedbackStates).default('pending'),
    /** When a pending row is processed next: the relay publishes it then. */
    dueAt: p.datetime(6).defaultRaw('now()'),
    /** Not sent before: a worker has claimed it, its retry is not due, or its connection waits for the operator. */
    heldUntil: p.datetime(6).defaultRaw('now()'),
    /** How often it was sent, not counting throttled attempts. */
    attempts: p.integer().default(0),
    /** Consecutive claims without an outcome: their workers crashed. */
    claimsUnfinished: p.integer().default(0),
    reason: p.text().nullable(),
    /** What the platform reported later about the request that contained this event. */
    note: p.text().nullable(),
    /** Since when retries are counted; null: since it was created. */
    retriedSince: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    closedAt: p.datetime(6).nullable(),
  },
  uniques: [{ properties: ['conversion', 'connection'] }],
  // Only pending rows are searched by time, and they are a small part of the table. There is no index by time alone: to
  // find the due rows of each connection, PostgreSQL would read the backlog of one connection again for every other.
  indexes: [{ properties: ['connection', 'dueAt'], where: "state = 'pending'" }],
});

export class Feedback extends FeedbackSchema.class {}
FeedbackSchema.setClass(Feedback);
