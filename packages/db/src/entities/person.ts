import { roles } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';

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
