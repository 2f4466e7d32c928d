import { defineEntity, p } from '@mikro-orm/core';
import { Person } from './person.ts';

const PasskeySchema = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    person: () => p.manyToOne(Person).ref().index(),
    credentialId: p.blob().unique(),
    /** In the COSE format. The private key never leaves the authenticator. */
    publicKey: p.blob(),
    /** Of signatures; 0 if the authenticator does not count. */
    counter: p.bigint('number').defaultRaw('0'),
    /** How a browser reaches the authenticator, such as `internal` or `usb`. */
    transports: p.json<readonly string[]>().defaultRaw(`'[]'`),
    name: p.text(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    usedAt: p.datetime(6).nullable(),
  },
});

export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey);
