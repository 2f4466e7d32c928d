import { roles, type AccountId, type Role } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const PersonSchema = defineEntity({
  name: 'Person',
  tableName: 'person',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Normalised by `emailKey`. */
    email: p.text().unique(),
    role: p.enum(roles),
    /** Argon2id in the PHC string format; null until an invitation is accepted. */
    passwordHash: p.text().nullable(),
    /** The secret of the second factor, encrypted with `SECRETS_KEY`. */
    secondFactor: p.blob().nullable(),
    /** The time step of the last code that was accepted: each code works once. */
    codeStep: p.bigint('number').defaultRaw('0'),
    /** Wrong codes since the last right one. */
    wrongCodes: p.integer().default(0),
    lockedUntil: p.datetime(6).nullable(),
    /** The same of codes that would have linked an identity of a provider. */
    wrongLinkCodes: p.integer().default(0),
    linkLockedUntil: p.datetime(6).nullable(),
    /** When the first of `refused` was refused; null: nothing was since the last entry in the audit log. */
    refusedSince: p.datetime(6).nullable(),
    /** How many attempts to sign in or step up were refused, by what was wrong. */
    refused: p.json<Readonly<Record<string, number>>>().defaultRaw(`'{}'`),
    /** Wrong codes with the right password of which the person was not told yet. */
    guessedCodes: p.integer().default(0),
    guessedSince: p.datetime(6).nullable(),
    /** Of the last request, to a minute; null: never signed in. */
    seenAt: p.datetime(6).nullable(),
    disabledAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  indexes: [{ name: 'person_refused_index', properties: ['refusedSince'], where: 'refused_since is not null' }],
});

/** Someone who may sign in to the console. */
export class Person extends PersonSchema.class {}
PersonSchema.setClass(Person);

const PersonIdentitySchema = defineEntity({
  name: 'PersonIdentity',
  tableName: 'person_identity',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    person: () => p.manyToOne(Person).ref(),
    issuer: p.text(),
    /** What the provider calls the person, and nobody else, for ever; an email may be given to a colleague. */
    subject: p.text(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [{ properties: ['issuer', 'subject'] }, { properties: ['person', 'issuer'] }],
});

/** As whom an identity provider knows a person: OpenID Connect Core 1.0, 5.7. */
export class PersonIdentity extends PersonIdentitySchema.class {}
PersonIdentitySchema.setClass(PersonIdentity);

const PersonSessionSchema = defineEntity({
  name: 'PersonSession',
  tableName: 'person_session',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    person: () => p.manyToOne(Person).ref().index(),
    /** SHA-256 of the token in the cookie. */
    tokenHash: p.blob().unique(),
    /** When the second factor was last given. */
    steppedUpAt: p.datetime(6).defaultRaw('now()'),
    /** Of the last request, to a minute. */
    seenAt: p.datetime(6).defaultRaw('now()'),
    /** The browser and its system, such as `Firefox · Windows`. */
    device: p.text().nullable(),
    expiresAt: p.datetime(6),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class PersonSession extends PersonSessionSchema.class {}
PersonSessionSchema.setClass(PersonSession);

const PasskeySchema = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    person: () => p.manyToOne(Person).ref().index(),
    credentialId: p.blob().unique(),
    /** In the COSE format. The private key never leaves the authenticator. */
    publicKey: p.blob(),
    /** Of signatures; 0 if the authenticator does not count. */
    counter: p.bigint('number').defaultRaw('0'),
    /** How a browser reaches the authenticator, such as `internal` or `usb`. */
    transports: p.json<readonly string[]>().defaultRaw(`'[]'`),
    name: p.text(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    usedAt: p.datetime(6).nullable(),
  },
});

export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey);

const SignInChallengeSchema = defineEntity({
  name: 'SignInChallenge',
  tableName: 'sign_in_challenge',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** SHA-256 of the random value that the browser gives back. */
    tokenHash: p.blob().unique(),
    purpose: p.enum(['add-passkey', 'sign-in', 'step-up', 'provider', 'provider-code'] as const),
    /** Null: nobody is signed in yet. */
    person: () => p.manyToOne(Person).ref().nullable().deleteRule('no action'),
    /** What the response is compared with. */
    details: p.json<unknown>().defaultRaw(`'{}'`),
    expiresAt: p.datetime(6).index(),
  },
});

/** What a browser has to respond to once, within minutes. */
export class SignInChallenge extends SignInChallengeSchema.class {}
SignInChallengeSchema.setClass(SignInChallenge);

interface InvitedAccess {
  readonly role: Role;
  readonly accountIds: readonly AccountId[];
}

const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** A later invitation replaces the earlier one. */
    person: () => p.manyToOne(Person).ref().unique(),
    /** SHA-256 of the token in the link, which is shown once. */
    tokenHash: p.blob().unique(),
    /** What the person may do once it is accepted; null: what the person may do then anyway. */
    access: p.json<InvitedAccess>().nullable(),
    expiresAt: p.datetime(6),
    usedAt: p.datetime(6).nullable(),
    /** What the person has chosen until a code shows that the second factor works. */
    passwordHash: p.text().nullable(),
    secondFactor: p.blob().nullable(),
    wrongCodes: p.integer().default(0),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class Invitation extends InvitationSchema.class {}
InvitationSchema.setClass(Invitation);

const MembershipSchema = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    person: () => p.manyToOne(Person).ref().primary().updateRule('no action').deleteRule('no action'),
    account: () => p.manyToOne(Account).ref().primary().updateRule('no action').deleteRule('no action'),
  },
});

/** An account that a marketer or a partner sees. Admins and operators see all of them without. */
export class Membership extends MembershipSchema.class {}
MembershipSchema.setClass(Membership);

const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    at: p.datetime(6).defaultRaw('now()'),
    /** The email of a person, or the user of the command line. */
    actor: p.text(),
    /** Such as `connection.pause`. */
    action: p.text(),
    /** Without a foreign key: an entry outlives what it tells of. Null: the action is of no account. */
    accountId: p.bigint('number').nullable(),
    /** What was acted on, such as `connection 7`. */
    target: p.text(),
    /** Never secrets or personal data of clients. */
    details: p.json<unknown>().defaultRaw(`'{}'`),
  },
  indexes: [
    { properties: ['accountId', 'at', 'id'] },
    { properties: ['at', 'id'] },
    {
      name: 'audit_entry_viewed_index',
      expression:
        "create unique index audit_entry_viewed_index on audit_entry (account_id, actor, (date(at at time zone 'UTC'))) where action = 'person.viewed'",
    },
  ],
});

/** Something that a person did. Roles of the apps can add entries, but neither change nor delete them. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);

const RetryTaskSchema = defineEntity({
  name: 'RetryTask',
  tableName: 'retry_task',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    /** The email of the person who started it. */
    startedBy: p.text(),
    filter: p.json<unknown>(),
    state: p.enum(['running', 'done', 'failed']).default('running'),
    /** Deliveries counted when it was created; null: too many to count. */
    total: p.integer().nullable(),
    done: p.integer().default(0),
    /** Those that it made pending: the first ten thousand. */
    deliveryIds: p
      .array((id) => Number(id))
      .columnType('bigint[]')
      .default([]),
    /** What comes after this delivery is left to do, up to the newest one when it was created. */
    cursor: p.json<unknown>(),
    message: p.text().nullable(),
    /** How often the next part has failed. */
    failures: p.integer().default(0),
    /** When the next part is done: the task that waits longest is next. */
    dueAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    createdAt: p.datetime(6).defaultRaw('now()'),
    finishedAt: p.datetime(6).nullable(),
  },
  indexes: [
    { properties: ['account', 'id'] },
    { name: 'retry_task_open_index', properties: ['dueAt'], where: `state = 'running'` },
  ],
});

/** Undelivered deliveries that a person sends again from the console; it goes on without a browser. */
export class RetryTask extends RetryTaskSchema.class {}
RetryTaskSchema.setClass(RetryTask);
