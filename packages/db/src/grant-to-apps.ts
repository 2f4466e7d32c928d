import type { Pool } from 'pg';
import { appRoles, functionsOfApps, privilegesOfApps } from './privileges-of-apps.ts';

const perApp = `array[${appRoles.map((role) => `'${role}'`).join(', ')}]`;

// `ours`: the schema of the connection, which is not `public` in a cell
const ofSharedRole = `
  if not has_schema_privilege(ours, 'create') then
    raise insufficient_privilege using message = format('%I may not change the schema', current_user);
  end if;
  if to_regrole('leadback_app') is not null then
    execute format('grant connect on database %I to leadback_app', current_database());
    execute format('revoke temporary on database %I from public', current_database());
    execute format('revoke create on schema %I from public', ours);
    execute format('grant usage on schema %I to leadback_app', ours);
    execute format('alter default privileges in schema %I grant select, insert, update, delete on tables to leadback_app', ours);
    execute format('alter default privileges in schema %I grant usage on sequences to leadback_app', ours);
    execute format('grant select, insert, update, delete on all tables in schema %I to leadback_app', ours);
    execute format('grant usage on all sequences in schema %I to leadback_app', ours);

    foreach named in array array['mikro_orm_migrations', 'installation'] loop
      if to_regclass(format('%I.%I', ours, named)) is null then continue; end if;
      execute format('revoke insert, update, delete on %I.%I from leadback_app', ours, named);
    end loop;
    foreach named in array array['person', 'membership', 'invitation', 'person_session', 'person_identity', 'passkey',
      'sign_in_challenge', 'retry_task', 'retention_period'] loop
      if to_regclass(format('%I.%I', ours, named)) is null then continue; end if;
      execute format('revoke all on %I.%I from leadback_app', ours, named);
      if to_regrole('leadback_console') is not null then
        execute format('grant select, insert, update, delete on %I.%I to leadback_console', ours, named);
      end if;
    end loop;
    if to_regclass(format('%I.audit_entry', ours)) is not null then
      execute format('revoke all on %I.audit_entry from leadback_app', ours);
      execute format('grant insert on %I.audit_entry to leadback_app', ours);
      if to_regrole('leadback_console') is not null then
        execute format('grant select, insert on %I.audit_entry to leadback_console', ours);
      end if;
    end if;
  end if;`;

// what any app deletes; the rest is left to retention, which runs as the owner
const deleted = new Set(
  Object.values(privilegesOfApps).flatMap((rights) =>
    Object.entries(rights).flatMap(([table, privileges]) => (/\bdelete\b/.test(privileges) ? [table] : [])),
  ),
);
const deletedNames = [...deleted].map((table) => `'${table}'`).join(', ');

// partitions as well
const ofDeletions = `
  if to_regrole('leadback_app') is not null then
    for named in
      select relname from pg_class
      where relnamespace = ours::regnamespace and relkind in ('r', 'p') and relname <> all(array[${deletedNames}])
    loop
      execute format('revoke delete on %I.%I from leadback_app', ours, named);
    end loop;
  end if;`;

const eachApp = (statements: string) => `
  foreach app in array ${perApp} loop
    if to_regrole(app) is null then continue; end if;
    ${statements}
  end loop;`;

// Until all migrations have run: triggers of running apps may write into a table that a migration has just created.
const whileMigrating = eachApp(`
    execute format('alter default privileges in schema %I grant insert on tables to %I', ours, app);
    execute format('alter default privileges in schema %I grant usage on sequences to %I', ours, app);`);

const callersOf = Object.entries(functionsOfApps).map(([name, apps]) => ({ name, apps: [...apps, 'leadback_app'] }));

const ofFunctions = `
  for named, callers in select name, apps from jsonb_to_recordset('${JSON.stringify(callersOf)}') f (name text, apps text[]) loop
    execute format('revoke all on function %I.%s from public', ours, named);
    foreach app in array callers loop
      if to_regrole(app) is null then continue; end if;
      execute format('grant execute on function %I.%s to %I', ours, named, app);
    end loop;
  end loop;`;

const ofApps = eachApp(`
    execute format('alter default privileges in schema %I revoke insert on tables from %I', ours, app);
    execute format('alter default privileges in schema %I revoke usage on sequences from %I', ours, app);
    execute format('grant connect on database %I to %I', current_database(), app);
    execute format('grant usage on schema %I to %I', ours, app);
    execute format('revoke all on all tables in schema %I from %I', ours, app);
    execute format('revoke all on all sequences in schema %I from %I', ours, app);
    for named, privileges in select * from jsonb_each_text('${JSON.stringify(privilegesOfApps)}'::jsonb -> app) loop
      execute format('grant %s on %I.%I to %I', privileges, ours, named, app);
      if privileges !~ 'insert' then continue; end if;
      for numbers in
        select s.relname from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
        where d.classid = 'pg_class'::regclass and d.refobjid = to_regclass(format('%I.%I', ours, named))
      loop
        execute format('grant usage on sequence %I.%I to %I', ours, numbers, app);
      end loop;
    end loop;`);

const block = (statements: string) => `do $$
declare
  ours text := current_schema();
  app text;
  named text;
  privileges text;
  callers text[];
  numbers text;
begin${statements}
end $$`;

/** Call it before migrations: what they create can be used by the apps that are running. */
export const prepareGrants = async (owner: Pool): Promise<void> => {
  await owner.query(block(ofSharedRole + whileMigrating));
};

/**
 * Call it after migrations. Gives the role of each app its rights, and no others, on the tables of the connection's schema.
 * The role `leadback_app` may read and write all tables, present and future, but those of the console: they are for
 * `leadback_console`, which is a member of it. It may delete only what apps delete. Entries of the audit log can be added and not changed. Does nothing for
 * a role that does not exist.
 */
export const grantToApps = async (owner: Pool): Promise<void> => {
  await owner.query(block(ofSharedRole + ofDeletions + ofApps + ofFunctions));
};
