import { defineEntity, p } from '@mikro-orm/core';
import { Account } from './account.ts';
import { PlatformConnection } from './platform-connection.ts';

const ConnectionSettingsChangeSchema = defineEntity({
  name: 'ConnectionSettingsChange',
  tableName: 'connection_settings_change',
  properties: {
    connection: () => p.manyToOne(PlatformConnection).ref().primary().createForeignKeyConstraint(false),
    /** The last version of the connection with what follows. */
    version: p.integer().primary(),
    account: () => p.manyToOne(Account).ref(),
    settings: p.json<unknown>(),
    eventNames: p.json<unknown>(),
    changedAt: p.datetime(6).defaultRaw('clock_timestamp()'),
  },
});

/** The settings of a connection before a change of them. Written by a trigger; rows are never changed. */
export class ConnectionSettingsChange extends ConnectionSettingsChangeSchema.class {}
ConnectionSettingsChangeSchema.setClass(ConnectionSettingsChange);
