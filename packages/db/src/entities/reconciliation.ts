import { reconciliationSteps } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';

const ReconciliationSchema = defineEntity({
  name: 'Reconciliation',
  tableName: 'reconciliation',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    isTest: p.boolean().default(false),
    /** The range in which registered conversions are expected in the list; `untilAt` is not in it. */
    fromAt: p.datetime(6),
    untilAt: p.datetime(6),
    step: p.enum(reconciliationSteps).nullable().default('receive'),
    /** Of the list. */
    rows: p.integer().default(0),
    compared: p.integer().default(0),
    counts: p.json<unknown>().defaultRaw(`'{}'`),
    /** Amounts by outcome and currency. */
    money: p.json<unknown>().defaultRaw(`'{}'`),
    fileName: p.text().nullable(),
    /** Who sent the list; null: a partner, with an API key. */
    createdBy: p.text().nullable(),
    /** The last conversion of the range that was looked for in the list. */
    walkedAt: p.datetime(6),
    walkedId: p.bigint('number').defaultRaw('0'),
    /** The last registration of missing rows: what was asked for, how far it is and what it has done. */
    replay: p.json<unknown>().nullable(),
    /** When a slice of it was last worked off: the one that waits longest is next. */
    workedAt: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** How often the next slice has failed. */
    failures: p.integer().default(0),
    /** Whether the comparison ended because its next slice failed again and again. */
    isFailed: p.boolean().default(false),
    createdAt: p.datetime(6).defaultRaw('now()'),
    finishedAt: p.datetime(6).nullable(),
  },
  indexes: [
    { properties: ['account', 'id'] },
    { name: 'reconciliation_open_index', properties: ['workedAt'], where: `step <> 'receive'` },
    { name: 'reconciliation_received_index', properties: ['workedAt'], where: `step = 'receive'` },
  ],
});

/** A partner's list of its conversions in a range of time. */
export class Reconciliation extends ReconciliationSchema.class {}
ReconciliationSchema.setClass(Reconciliation);
