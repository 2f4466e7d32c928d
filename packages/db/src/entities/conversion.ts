import { currencies } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Client } from './client.ts';

const ConversionSchema = defineEntity({
  name: 'Conversion',
  tableName: 'conversion',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false),
    client: () => p.manyToOne(Client).ref().createForeignKeyConstraint(false),
    amount: p.decimal('string').precision(12).scale(2),
    currency: p.enum(currencies),
    /** Null for tests. */
    externalReference: p.text().nullable(),
    /**
     * The external reference of a test: independent of live references, so that a tested sale can be registered for
     * real.
     */
    testReference: p.text().nullable(),
    /** Registered with a test key: sent as a test and not counted in any metric. */
    isTest: p.boolean().default(false),
    /**
     * The event id sent to platforms, also used by the partner's pixel; null: the conversion id, as before event ids
     * were stored.
     */
    eventId: p.text().nullable(),
    /** The partner's name for the event; null: what the connection calls conversions. */
    eventName: p.text().nullable(),
    /** Null: when it was registered. */
    occurredAt: p.datetime(6).nullable(),
    /** The page and the campaign of its lead, for which metrics count it; null: by an app of the version before. */
    landingPageId: p.bigint('number').nullable(),
    campaign: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [
    { properties: ['account', 'externalReference'] },
    {
      name: 'conversion_test_reference_unique',
      properties: ['account', 'testReference'],
      where: 'test_reference is not null',
    },
  ],
  // conversions without an event id were sent with their number, so no other conversion may use it as event id
  indexes: [
    { properties: ['client', 'id'] },
    {
      name: 'conversion_account_id_event_id_unique',
      expression:
        'create unique index conversion_account_id_event_id_unique on conversion (account_id, coalesce(event_id, id::text))',
    },
    {
      name: 'conversion_listed_index',
      expression:
        'create index conversion_listed_index on conversion (account_id, is_test, coalesce(occurred_at, created_at), id)',
    },
  ],
});

export class Conversion extends ConversionSchema.class {}
ConversionSchema.setClass(Conversion);
