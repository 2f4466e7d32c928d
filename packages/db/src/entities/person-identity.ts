import { defineEntity, p } from '@mikro-orm/core';
import { Person } from './person.ts';

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
