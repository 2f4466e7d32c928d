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
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false).index(),
    conversion: () => p.manyToOne(Conversion).ref(),
    connection: () => p.manyToOne(PlatformConnection).ref(),
    state: p.enum(feedbackStates).default('pending'),
    /** The parcel of a pending delivery, see feedback-due.ts. */
    parcelId: p.bigint('number').nullable(),
    /** How often it was sent, not counting throttled attempts. */
    attempts: p.integer().default(0),
    reason: p.text().nullable(),
    /** What the platform reported later about the request that contained this event. */
    note: p.text().nullable(),
    /** Since when retries are counted; null: since it was created. */
    retriedSince: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    closedAt: p.datetime(6).nullable(),
    /** This and the next two: for apps of the version before parcels alone; a later version drops them. */
    dueAt: p.datetime(6).defaultRaw("(now() + '100 years'::interval)"),
    heldUntil: p.datetime(6).defaultRaw('now()'),
    claimsUnfinished: p.integer().default(0),
  },
  uniques: [{ properties: ['conversion', 'connection'] }],
});

export class Feedback extends FeedbackSchema.class {}
FeedbackSchema.setClass(Feedback);
