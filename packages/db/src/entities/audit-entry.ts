import { defineEntity, p } from '@mikro-orm/core';

const AuditEntrySchema = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    at: p.datetime(6).defaultRaw('now()'),
    /** The email of a person, or the user of the command line. */
    actor: p.text(),
    /** Such as `connection.pause`. */
    action: p.text(),
    /** Without a foreign key: an entry outlives what it tells of. Null: the action is of no account. */
    accountId: p.bigint('number').nullable(),
    /** What was acted on, such as `connection 7`. */
    target: p.text(),
    /** Never secrets or personal data of clients. */
    details: p.json<unknown>().defaultRaw(`'{}'`),
  },
  indexes: [
    { properties: ['accountId', 'at', 'id'] },
    { properties: ['at', 'id'] },
    {
      name: 'audit_entry_viewed_index',
      expression:
        "create unique index audit_entry_viewed_index on audit_entry (account_id, actor, (date(at at time zone 'UTC'))) where action = 'person.viewed'",
    },
  ],
});

/** Something that a person did. Roles of the apps can add entries, but neither change nor delete them. */
export class AuditEntry extends AuditEntrySchema.class {}
AuditEntrySchema.setClass(AuditEntry);
