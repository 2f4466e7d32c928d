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
    /** When somebody has to look at a pending row next: the relay publishes it then. */
    dueAt: p.datetime(6).defaultRaw('now()'),
    /** Nobody sends before this moment: a worker is at it, its retry is not due yet, or its connection waits for the operator. */
    heldUntil: p.datetime(6).defaultRaw('now()'),
    /** How often it was sent, without those times at which the platform only asked for fewer requests. */
    attempts: p.integer().default(0),
    /** Claims in a row of which nobody wrote down how they ended: their workers died. */
    claimsUnfinished: p.integer().default(0),
    reason: p.text().nullable(),
    /** What the platform said later of the request that it came with. */
    note: p.text().nullable(),
    /** From when retries are counted; null: since it was made. */
    retriedSince: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    closedAt: p.datetime(6).nullable(),
  },
  uniques: [{ properties: ['conversion', 'connection'] }],
  // Only what is pending is ever looked for by time, and that is a small part of the table. There is none by time alone:
  // to find what is due of each connection, PostgreSQL would read the backlog of one of them again for every other.
  indexes: [{ properties: ['connection', 'dueAt'], where: "state = 'pending'" }],
});

export class Feedback extends FeedbackSchema.class {}
FeedbackSchema.setClass(Feedback);
