import type { AccountId, Role } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Person } from './person.ts';

export interface InvitedAccess {
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
