import { defineEntity, p } from '@mikro-orm/core';
import { Person } from './person.ts';

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
