import { accountStatuses, erasedPersonsChoices, gpcReadings } from '@leadback/domain';
import { defineEntity, p } from '@mikro-orm/core';

const AccountSchema = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    name: p.text(),
    status: p.enum(accountStatuses).default('active'),
    /** ISO 3166-1 alpha-2: the country of phone numbers in national format. */
    country: p.string().length(2).default('AR'),
    /** Requests per second and key. */
    rateLimit: p.integer().default(200),
    gpcReading: p.enum(gpcReadings).default('respect'),
    /** Encrypted. Null: none yet (`ensureAccountKey`), or dropped. */
    dataKey: p.blob().nullable(),
    /** Whether contact data is written encrypted. Encrypted data is always read. */
    encryptsContacts: p.boolean().default(false),
    erasedPersons: p.enum(erasedPersonsChoices).default('allow'),
    /** Suspended for abuse: its pages are hidden, whether they are on or off. */
    hidesPages: p.boolean().default(false),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account);
