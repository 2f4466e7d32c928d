import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Person } from './person.ts';

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
