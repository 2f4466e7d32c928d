import { sourceOutcomes, sourceStates } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const SourceSchema = defineEntity({
  name: 'Source',
  tableName: 'source',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    /** A kind of `core/sources/kinds`. */
    kind: p.text(),
    label: p.text(),
    /** SHA-256 of the last part of its URL. */
    pathHash: p.blob().unique(),
    /** The same of the URL before it, which works as well until then. */
    earlierPathHash: p.blob().nullable().unique(),
    earlierPathUntil: p.datetime(6).nullable(),
    settings: p.json<unknown>().defaultRaw(`'{}'`),
    /** Encrypted with `SECRETS_KEY`: also the last part of its URL. */
    secrets: p.blob(),
    /** All that it brings is a test. */
    isTest: p.boolean().default(false),
    state: p.enum(sourceStates).default('active'),
    stateReason: p.text().nullable(),
    stateSince: p.datetime(6).defaultRaw('now()'),
    /** How many requests had a wrong signature since the last genuine one, and since when. */
    refusedCount: p.integer().default(0),
    refusedSince: p.datetime(6).nullable(),
    refusedAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    /** Its row stays: its events refer to it. */
    deletedAt: p.datetime(6).nullable(),
    /** When the other side is asked next for what it may not have told. */
    catchUpAt: p.datetime(6).defaultRaw('now()'),
    /** Until when it was asked for all. */
    caughtUpUntil: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [{ properties: ['account', 'id'] }],
});

/** Where an account's sales come from beside its own server: a shop, or a service for payments. */
export class Source extends SourceSchema.class {}
SourceSchema.setClass(Source);

const SourceEventSchema = defineEntity({
  name: 'SourceEvent',
  tableName: 'source_event',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    // the foreign key of the migration compares the account, too
    accountId: p.bigint('number'),
    sourceId: p.bigint('number'),
    receivedAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** The same for repeats of an event. Null: it is a repeat. */
    key: p.text().nullable(),
    /** What the other side calls it. */
    event: p.text(),
    /** The `conversionExternalReference` of its sale, once it is known. */
    orderReference: p.text().nullable(),
    /** Since when its sale was so, by the clock of the other side: an event that is older than another changes nothing. */
    stateAt: p.datetime(6).nullable(),
    /** Whether it tells of one change of the sale, and not of all before it. */
    isPartial: p.boolean().default(false),
    /** What was sent, encrypted. */
    content: p.blob().nullable(),
    /** What the other side's API said of it, encrypted. */
    fetched: p.blob().nullable(),
    /** Keyed hashes of the persons that the content may name, by which an erasure finds it. */
    personHashes: p.array(String).columnType('text[]').nullable(),
    /** Whether the API of the other side is to be asked first. */
    needsFetch: p.boolean().default(false),
    /** When it is worked on next. */
    dueAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** How often the work has failed. */
    failures: p.integer().default(0),
    finishedAt: p.datetime(6).nullable(),
    outcome: p.enum(sourceOutcomes).nullable(),
    /** A code of `core/sources/reasons.ts`. */
    reason: p.text().nullable(),
    /** What the reason is about, without personal data. */
    message: p.text().nullable(),
    conversionId: p.bigint('number').nullable(),
  },
  uniques: [{ name: 'source_event_key_unique', properties: ['sourceId', 'key'] }],
  indexes: [
    { name: 'source_event_list_index', properties: ['sourceId', 'id'] },
    {
      name: 'source_event_open_index',
      properties: ['sourceId', 'needsFetch', 'dueAt'],
      where: 'finished_at is null',
    },
    {
      name: 'source_event_order_index',
      properties: ['sourceId', 'orderReference'],
      where: 'order_reference is not null',
    },
    {
      name: 'source_event_person_index',
      expression:
        'create index source_event_person_index on source_event using gin (person_hashes) where person_hashes is not null',
    },
    {
      name: 'source_event_conversion_index',
      properties: ['conversionId'],
      where: 'conversion_id is not null',
    },
  ],
  checks: [{ name: 'source_event_finished_check', expression: '(finished_at is null) = (outcome is null)' }],
});

/** One thing that a source was told. Deleted after 30 days. */
export class SourceEvent extends SourceEventSchema.class {}
SourceEventSchema.setClass(SourceEvent);
