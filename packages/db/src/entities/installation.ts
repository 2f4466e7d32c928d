import { defineEntity, p } from '@mikro-orm/core';

// one row, created by the migration
const InstallationSchema = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    /** The system and the timeline of PostgreSQL, such as `7712026909806147533/2`. Null: no app has connected yet. */
    server: p.text().nullable(),
    isOnly: p.boolean().default(true).unique(),
  },
  checks: [{ name: 'installation_is_only_check', expression: 'is_only' }],
});

/** Identifies this database among all that report to the same platforms. */
export class Installation extends InstallationSchema.class {}
InstallationSchema.setClass(Installation);
