-- The two roles of Leadback: leadback_owner changes the schema, leadback_app works on what is in it. Run it as the
-- administrator of the server, in Leadback's database; running it again changes nothing. It sets no passwords (roles.sh
-- does), and `database migrate` says what leadback_app may do.
do $$
declare
  is_superuser boolean not null := (select rolsuper from pg_roles where rolname = current_user);
  change text;
begin
  if to_regrole('leadback_owner') is null then create role leadback_owner login; end if;
  if to_regrole('leadback_app') is null then create role leadback_app login; end if;

  -- whoever waits for a table to change it makes everybody else wait behind them
  alter role leadback_owner set lock_timeout = '5s';
  -- whoever has gone silent amid a transaction loses it before others lose their patience with its locks
  alter role leadback_app set idle_in_transaction_session_timeout = '10s';
  alter role leadback_app set lock_timeout = '15s';

  -- the administrator of a managed server may give away only to roles that it is a member of
  if not is_superuser then execute format('grant leadback_owner to %I', current_user); end if;

  -- made by PostgreSQL 14 or older, and upgraded since
  if (select nspowner from pg_namespace where nspname = 'public') <> 'pg_database_owner'::regrole then
    alter schema public owner to pg_database_owner;
  end if;
  execute format('alter database %I owner to leadback_owner', current_database());

  -- what was made before there were two roles
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
