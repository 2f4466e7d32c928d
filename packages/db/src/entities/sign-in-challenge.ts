import { defineEntity, p } from '@mikro-orm/core';
import { Person } from './person.ts';

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
