import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const ErasedKeySchema = defineEntity({
  name: 'ErasedKey',
  tableName: 'erased_key',
  properties: {
    account: () => p.manyToOne(Account).ref().primary().createForeignKeyConstraint(false),
    /** Of an email, a phone number or a lead reference (`lookupHash`). */
    hash: p.text().primary(),
    erasedAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** By what erased persons are recognised, without keeping it. */
export class ErasedKey extends ErasedKeySchema.class {}
ErasedKeySchema.setClass(ErasedKey);
