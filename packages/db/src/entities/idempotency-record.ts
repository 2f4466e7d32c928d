import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const IdempotencyRecordSchema = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_record',
  properties: {
    account: () => p.manyToOne(Account).ref().primary(),
    route: p.text().primary(),
    /** Chosen by the caller. */
    key: p.text().primary(),
    /** SHA-256 of the request: the same key with another request is an error of the caller. */
    fingerprint: p.blob(),
    answer: p.json<unknown>(),
    createdAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export class IdempotencyRecord extends IdempotencyRecordSchema.class {}
IdempotencyRecordSchema.setClass(IdempotencyRecord);
