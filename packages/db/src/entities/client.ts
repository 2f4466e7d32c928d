import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { Lead } from './lead.ts';

const ClientSchema = defineEntity({
  name: 'Client',
  tableName: 'client',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    account: () => p.manyToOne(Account).ref().createForeignKeyConstraint(false),
    lead: () => p.manyToOne(Lead).ref().index().createForeignKeyConstraint(false),
    name: p.text().nullable(),
    email: p.text().nullable(),
    /** Name, email and phone number, encrypted: then those columns are null. */
    contact: p.blob().nullable(),
    /** The normalized email by which conversions find their client, or its hash; null for tests. */
    emailKey: p.text().nullable(),
    /** The same for tests. */
    testEmailKey: p.text().nullable(),
    phoneNumber: p.text().nullable(),
    /** Null for tests. */
    externalReference: p.text().nullable(),
    /** The external reference of a test: test and live references are independent. */
    testReference: p.text().nullable(),
    isTest: p.boolean().default(false),
    /** The page, the campaign and the trace of its lead, for its conversions; no page: by an app of the version before. */
    landingPageId: p.bigint('number').nullable(),
    campaign: p.text().nullable(),
    traceParent: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [
    { properties: ['account', 'externalReference'] },
    {
      name: 'client_test_reference_unique',
      properties: ['account', 'testReference'],
      where: 'test_reference is not null',
    },
  ],
  indexes: [
    { properties: ['account', 'emailKey', 'id'] },
    {
      name: 'client_test_email_key_index',
      properties: ['account', 'testEmailKey', 'id'],
      where: 'test_email_key is not null',
    },
  ],
});

export class Client extends ClientSchema.class {}
ClientSchema.setClass(Client);
