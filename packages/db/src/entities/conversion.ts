import { currencies } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Client } from './client.ts';

const ConversionSchema = defineEntity({
  name: 'Conversion',
  tableName: 'conversion',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref(),
    client: () => p.manyToOne(Client).ref(),
    amount: p.decimal('string').precision(12).scale(2),
    currency: p.enum(currencies),
    /** Of a conversion that is no test. */
    externalReference: p.text().nullable(),
    /** The external reference of a test: apart from the others, so that what was tried out can be registered for real. */
    testReference: p.text().nullable(),
    /** Registered with a test key: sent as a test, and no metric counts it. */
    isTest: p.boolean().default(false),
    /** What the platforms and the partner's pixel know it by; null: its id, as before event ids were stored. */
    eventId: p.text().nullable(),
    /** null: when it was registered. */
    occurredAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [{ properties: ['account', 'externalReference'] }, { properties: ['account', 'testReference'] }],
  // the number of a conversion without an event id was sent as one: nobody may have it again
  indexes: [
    {
      name: 'conversion_account_id_event_id_unique',
      expression:
        'create unique index conversion_account_id_event_id_unique on conversion (account_id, coalesce(event_id, id::text))',
    },
  ],
});

export class Conversion extends ConversionSchema.class {}
ConversionSchema.setClass(Conversion);
