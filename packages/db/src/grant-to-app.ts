import type { Pool } from 'pg';

const grants = `do $$
declare
  of_console text;
begin
  if not has_schema_privilege('public', 'create') then
    raise insufficient_privilege using message = format('%I may not change the schema', current_user);
  end if;
  if to_regrole('leadback_app') is null then return; end if;
  execute format('grant connect on database %I to leadback_app', current_database());
  execute format('revoke temporary on database %I from public', current_database());
  revoke create on schema public from public;
  grant usage on schema public to leadback_app;

  alter default privileges in schema public grant select, insert, update, delete on tables to leadback_app;
  alter default privileges in schema public grant usage on sequences to leadback_app;
  grant select, insert, update, delete on all tables in schema public to leadback_app;
  grant usage on all sequences in schema public to leadback_app;
  if to_regclass('public.mikro_orm_migrations') is not null then
    revoke insert, update, delete on public.mikro_orm_migrations from leadback_app;
  end if;
  if to_regclass('public.installation') is not null then
    revoke insert, update, delete on public.installation from leadback_app;
  end if;

  foreach of_console in array array['person', 'membership', 'invitation', 'person_session', 'passkey',
    'sign_in_challenge', 'console_task'] loop
    if to_regclass('public.' || of_console) is null then continue; end if;
    execute format('revoke all on public.%I from leadback_app', of_console);
    if to_regrole('leadback_console') is not null then
      execute format('grant select, insert, update, delete on public.%I to leadback_console', of_console);
    end if;
  end loop;
  if to_regclass('public.audit_entry') is not null then
    revoke all on public.audit_entry from leadback_app;
    grant insert on public.audit_entry to leadback_app;
    if to_regrole('leadback_console') is not null then
      grant select, insert on public.audit_entry to leadback_console;
    end if;
  end if;
end $$`;

/**
 * Grants the role `leadback_app` read and write access to all tables, present and future, without the right to change
 * them, except those of the console: they are for `leadback_console`, which is a member of that role. Entries of the audit
 * log can be added by both and changed by neither. Does nothing for a role that does not exist.
 */
export const grantToApp = async (owner: Pool): Promise<void> => {
  await owner.query(grants);
};
