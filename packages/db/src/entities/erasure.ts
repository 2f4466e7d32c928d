import { erasureAskers, erasureDeciders, erasureNames, erasureStates, erasureWays } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';

const ErasureSchema = defineEntity({
  name: 'Erasure',
  tableName: 'erasure',
  properties: {
    /** 22 random characters of [0-9A-Za-z]: it shows neither order nor number. */
    id: p.text().primary(),
    accountId: p.bigint('number'),
    askedBy: p.enum(erasureAskers),
    /** For the audit log: `visitor`, an API key, the email of a person, or the user of the command line; who confirmed it, if it was asked. */
    actor: p.text(),
    /** Who decided, of an erasure that a visitor asked for without being able to prove the whole of it. */
    confirmedBy: p.enum(erasureDeciders).nullable(),
    /** Of a visitor, once an api has looked at the proof. */
    way: p.enum(erasureWays).nullable(),
    /** A keyed hash of the network from which a visitor asked: the same for the same network. */
    network: p.text().nullable(),
    /** Asked for with a test key: it erases test clients alone. */
    isTest: p.boolean().default(false),
    namedBy: p.enum(erasureNames),
    /** Whom to erase, encrypted; null once it has ended. */
    subject: p.blob().nullable(),
    /**
     * Of the person (`subjectHash`): one open erasure for each. Once the person is erased, only that of a lead is kept,
     * whose reference is kept as well.
     */
    subjectHash: p.text().nullable(),
    /** Since then, only the receipt is missing. */
    erasedAt: p.datetime(6).nullable(),
    state: p.enum(erasureStates).default('pending'),
    /** How often it failed, and when it is tried next; when it lapses. */
    failures: p.integer().default(0),
    dueAt: p.datetime(6).defaultRaw('now()'),
    requestedAt: p.datetime(6).defaultRaw('now()'),
    finishedAt: p.datetime(6).nullable(),
    /** The JSON that was signed, to the byte; without personal data. */
    receipt: p.text().nullable(),
    /** Ed25519, in base64. */
    signature: p.text().nullable(),
    /** See receipt-key.ts. */
    keyId: p.text().nullable(),
  },
  indexes: [
    {
      name: 'erasure_due_index',
      properties: ['accountId', 'dueAt'],
      where: `state = 'pending' and (asked_by <> 'visitor' or confirmed_by is not null or erased_at is not null)`,
    },
    {
      name: 'erasure_due_visitor_index',
      properties: ['accountId', 'dueAt'],
      where: `state = 'pending' and asked_by = 'visitor' and confirmed_by is null and erased_at is null`,
    },
    { name: 'erasure_asked_index', properties: ['dueAt'], where: `state = 'asked'` },
    { name: 'erasure_subject_index', properties: ['accountId', 'subjectHash'], where: 'subject_hash is not null' },
    { name: 'erasure_finished_index', properties: ['accountId', 'finishedAt'], where: 'finished_at is not null' },
    { name: 'erasure_actor_index', properties: ['accountId', 'actor', 'requestedAt'] },
    { name: 'erasure_listed_index', properties: ['accountId', 'requestedAt', 'id'] },
  ],
  uniques: [
    {
      name: 'erasure_open_index',
      properties: ['accountId', 'isTest', 'subjectHash'],
      where: 'finished_at is null and erased_at is null',
    },
  ],
});

/** A person to erase, or the receipt of it. */
export class Erasure extends ErasureSchema.class {}
ErasureSchema.setClass(Erasure);
