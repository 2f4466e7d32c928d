-- The three roles of Leadback: leadback_owner changes the schema, leadback_app reads and writes the data, and
-- leadback_console the people of the console as well. Run it as the administrator of the server, in Leadback's database; it
-- is safe to run again. roles.sh sets the passwords, and `database migrate` the privileges.
do $$
declare
  is_superuser boolean not null := (select rolsuper from pg_roles where rolname = current_user);
  change text;
begin
  if to_regrole('leadback_owner') is null then create role leadback_owner login; end if;
  if to_regrole('leadback_app') is null then create role leadback_app login; end if;
  if to_regrole('leadback_console') is null then create role leadback_console login; end if;

  -- a statement that waits to change a table blocks all later statements on it
  alter role leadback_owner set lock_timeout = '5s';
  -- ends an idle transaction before others time out on its locks
  alter role leadback_app set idle_in_transaction_session_timeout = '10s';
  alter role leadback_app set lock_timeout = '15s';
  alter role leadback_console set idle_in_transaction_session_timeout = '10s';
  alter role leadback_console set lock_timeout = '15s';
  grant leadback_app to leadback_console;

  -- the administrator of a managed server can transfer ownership only to roles that it is a member of
  if not is_superuser then execute format('grant leadback_owner to %I', current_user); end if;

  -- created by PostgreSQL 14 or older
  if (select nspowner from pg_namespace where nspname = 'public') <> 'pg_database_owner'::regrole then
    alter schema public owner to pg_database_owner;
  end if;
  execute format('alter database %I owner to leadback_owner', current_database());

  -- objects created before there were two roles
  for change in
    select format('alter table %s owner to leadback_owner', oid::regclass) from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner <> 'leadback_owner'::regrole
    union all
    select format('alter routine %s owner to leadback_owner', oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace and proowner <> 'leadback_owner'::regrole
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  loop
    execute change;
  end loop;
end
$$;
