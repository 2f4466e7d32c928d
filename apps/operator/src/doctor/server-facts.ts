import type { EntityManager } from '@leadback/db';
import { z } from 'zod';

export interface ServerFacts {
  readonly version: string;
  readonly majorVersion: number;
  /** The role of this connection. */
  readonly role: string;
  /** Whether nothing can be written: a standby, or configured so. */
  readonly isReadOnly: boolean;
  /** The server's clock, in milliseconds since 1970. */
  readonly nowMs: number;
}

const serverSchema = z.tuple([
  z.object({
    version: z.string(),
    majorVersion: z.number(),
    role: z.string(),
    isReadOnly: z.boolean(),
    nowMs: z.number(),
  }),
]);

export const readServerFacts = async (em: EntityManager): Promise<ServerFacts> => {
  const [facts] = serverSchema.parse(
    await em.execute(`select current_setting('server_version') as version,
      current_setting('server_version_num')::int / 10000 as "majorVersion", current_user as role,
      pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "isReadOnly",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`),
  );
  return facts;
};

const rolesSchema = z.array(z.object({ role: z.string(), apps: z.array(z.string()), mayChangeSchema: z.boolean() }));

/** The roles that apps are connected as now, and whether those may change the schema. */
export const readAppRoles = async (em: EntityManager): Promise<z.infer<typeof rolesSchema>> =>
  rolesSchema.parse(
    await em.execute(`select a.usename as role,
      json_agg(distinct a.application_name) as apps,
      pg_has_role(a.usesysid, owner.oid, 'member') as "mayChangeSchema"
    from pg_stat_activity a
    join pg_class feedback on feedback.oid = 'feedback'::regclass
    join pg_roles owner on owner.oid = feedback.relowner
    where a.datname = current_database()
      and a.application_name in ('leadback landing', 'leadback api', 'leadback feedback-worker', 'leadback console')
    group by a.usename, a.usesysid, owner.oid order by a.usename`),
  );

const tablesSchema = z.array(z.object({ name: z.string() }));

// the role of the apps may not, and that of the console may
const ofConsole = `'person', 'membership', 'invitation', 'person_session', 'person_identity', 'passkey', 'sign_in_challenge', 'console_task',
  'audit_entry'`;

/** The tables, but those of the console, that this role cannot both read and write. Partitions need no privileges of their own. */
export const tablesWithoutRights = async (em: EntityManager): Promise<string[]> => {
  const rows = await em.execute(`select c.relname as name
    from pg_class feedback join pg_class c on c.relnamespace = feedback.relnamespace
    where feedback.oid = 'feedback'::regclass and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('mikro_orm_migrations', 'installation', ${ofConsole})
      and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
           and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
    order by c.relname`);
  return tablesSchema.parse(rows).map(({ name }) => name);
};
