import { defineEntity, p } from '@mikro-orm/core';
import { erasureAskers, erasureDeciders, erasureNames, erasureStates, erasureWays } from '@leadback/domain';
import { Account } from './account.ts';
import { Lead } from './lead.ts';

const ClientSchema = defineEntity({
  name: 'Client',
  tableName: 'client',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false),
    /** The click with which it was registered; see `ClientLead`. */
    lead: () => p.manyToOne(Lead).ref().index().createForeignKeyConstraint(false),
    /** Name, email and phone number, encrypted. */
    contact: p.blob().nullable(),
    /** A keyed hash of the email, by which conversions find their client; null for tests. */
    emailHash: p.text().nullable(),
    /** The same for tests. */
    testEmailHash: p.text().nullable(),
    /** A keyed hash of the phone number, by which sources find their client. Null also where it was registered before there were sources. */
    phoneHash: p.text().nullable(),
    /** Null for tests. */
    externalReference: p.text().nullable(),
    /** The external reference of a test: test and live references are independent. */
    testReference: p.text().nullable(),
    isTest: p.boolean().default(false),
    /** The page, the campaign and the trace of its lead, for its conversions. */
    landingPageId: p.bigint('number'),
    campaign: p.text(),
    traceParent: p.text().nullable(),
    /** What the advertiser told last of the person's consent, and since when it holds. */
    adUserData: p.boolean().nullable(),
    adUserDataAt: p.datetime(6).nullable(),
    adPersonalization: p.boolean().nullable(),
    adPersonalizationAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [
    { properties: ['account', 'externalReference'] },
    {
      name: 'client_test_reference_unique',
      properties: ['account', 'testReference'],
      where: 'test_reference is not null',
    },
  ],
  indexes: [
    { properties: ['account', 'emailHash', 'id'] },
    {
      name: 'client_test_email_hash_index',
      properties: ['account', 'testEmailHash', 'id'],
      where: 'test_email_hash is not null',
    },
    {
      name: 'client_phone_hash_index',
      properties: ['account', 'phoneHash', 'id'],
      where: 'phone_hash is not null',
    },
  ],
});

export class Client extends ClientSchema.class {}
ClientSchema.setClass(Client);

const ClientLeadSchema = defineEntity({
  name: 'ClientLead',
  tableName: 'client_lead',
  properties: {
    clientId: p.bigint('number').primary(),
    leadId: p.bigint('number').primary().index(),
    accountId: p.bigint('number'),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** A click of a client after the one with which it was registered. */
export class ClientLead extends ClientLeadSchema.class {}
ClientLeadSchema.setClass(ClientLead);

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
    /** When `actor` asked for it, or confirmed what a visitor had asked for. */
    decidedAt: p.datetime(6).defaultRaw('now()'),
    /** When it last had its turn. */
    triedAt: p.datetime(6).nullable(),
    finishedAt: p.datetime(6).nullable(),
    /** The JSON that was signed, to the byte; without personal data. */
    receipt: p.text().nullable(),
    /** Ed25519, in base64. */
    signature: p.text().nullable(),
    /** See client.ts. */
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
    { name: 'erasure_tried_index', properties: ['accountId', 'triedAt'], where: 'tried_at is not null' },
    {
      name: 'erasure_network_index',
      properties: ['accountId', 'network'],
      where: `asked_by = 'visitor' and finished_at is null and erased_at is null`,
    },
    { name: 'erasure_actor_index', properties: ['accountId', 'actor', 'decidedAt'] },
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

const ErasedKeySchema = defineEntity({
  name: 'ErasedKey',
  tableName: 'erased_key',
  properties: {
    account: () => p.manyToOne(Account).ref().primary().createForeignKeyConstraint(false),
    /** Of an email, a phone number or a lead reference (`lookupHash`). */
    hash: p.text().primary(),
    erasedAt: p.datetime(6).defaultRaw('now()'),
    /** Of a visitor, only lead references: what a visitor typed names nobody who was verified. */
    askedBy: p.enum(erasureAskers),
    erasureId: p.text(),
    /** Since then, the account may register the person again. */
    allowedAt: p.datetime(6).nullable(),
  },
  indexes: [{ name: 'erased_key_erasure_index', properties: ['account', 'erasureId'] }],
});

/** By what erased persons are recognised, without keeping it. */
export class ErasedKey extends ErasedKeySchema.class {}
ErasedKeySchema.setClass(ErasedKey);

const ReceiptKeySchema = defineEntity({
  name: 'ReceiptKey',
  tableName: 'receipt_key',
  properties: {
    /** From the hash of the public key. */
    id: p.text().primary(),
    /** Ed25519: 32 bytes. */
    publicKey: p.blob(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** A key that has signed a receipt. It stays: receipts are verified with it after a rotation of `SECRETS_KEY`. */
export class ReceiptKey extends ReceiptKeySchema.class {}
ReceiptKeySchema.setClass(ReceiptKey);
