import { defineEntity, p } from '@mikro-orm/core';

const ConsentWithdrawalSchema = defineEntity({
  name: 'ConsentWithdrawal',
  tableName: 'consent_withdrawal',
  properties: {
    /** The reference of the lead. */
    reference: p.text().primary(),
    askedAt: p.datetime(6).defaultRaw('now()'),
  },
});

/** Consent that a visitor withdrew while the lead was buffered, until it is recorded. */
export class ConsentWithdrawal extends ConsentWithdrawalSchema.class {}
ConsentWithdrawalSchema.setClass(ConsentWithdrawal);
