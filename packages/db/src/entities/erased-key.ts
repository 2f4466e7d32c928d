import { erasureAskers } from '@leadback/domain';
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
