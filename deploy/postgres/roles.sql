-- The roles of Leadback: leadback_owner changes the schema, each app has a role with the rights that it needs, and
-- leadback_console reads and writes all data. Run it as the administrator of the server, in Leadback's database; it is
-- safe to run again. roles.sh sets the passwords, and `database migrate` the privileges.
do $$
declare
  is_superuser boolean not null := (select rolsuper from pg_roles where rolname = current_user);
  app text;
  change text;
begin
  if to_regrole('leadback_owner') is null then create role leadback_owner login; end if;
  -- The rights of leadback_console, without those on people. Before each app had a role, all of them logged in as this
  -- one: where it exists, it still can.
  if to_regrole('leadback_app') is null then create role leadback_app nologin; end if;

  -- a statement that waits to change a table blocks all later statements on it
  alter role leadback_owner set lock_timeout = '5s';
  foreach app in array array['leadback_landing', 'leadback_api', 'leadback_feedback_worker', 'leadback_console',
    'leadback_app'] loop
    if to_regrole(app) is null then execute format('create role %I login', app); end if;
    -- ends an idle transaction before others time out on its locks
    execute format($set$alter role %I set idle_in_transaction_session_timeout = '10s'$set$, app);
    -- for commands of the operator; the apps set less when they connect
    execute format($set$alter role %I set lock_timeout = '15s'$set$, app);
  end loop;
  grant leadback_app to leadback_console;

  -- the administrator of a managed server can transfer ownership only to roles that it is a member of
  if not is_superuser then execute format('grant leadback_owner to %I', current_user); end if;

  -- large objects: storage that nothing limits and no retention deletes. The administrator of a managed server may not
  -- revoke this, and gets a warning.
  for change in
    select format('revoke execute on function %s from public', oid::regprocedure) from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^lo(_|read$|write$)'
  loop
    execute change;
  end loop;

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
