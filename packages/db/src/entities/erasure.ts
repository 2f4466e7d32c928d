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
    { name: 'erasure_due_index', properties: ['dueAt'], where: `state = 'pending'` },
    { name: 'erasure_asked_index', properties: ['dueAt'], where: `state = 'asked'` },
    { name: 'erasure_listed_index', properties: ['accountId', 'requestedAt', 'id'] },
  ],
});

/** A person to erase, or the receipt of it. */
export class Erasure extends ErasureSchema.class {}
ErasureSchema.setClass(Erasure);
