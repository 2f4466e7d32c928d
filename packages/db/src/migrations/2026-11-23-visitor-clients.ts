import { Migration } from '@mikro-orm/migrations';

/**
 * What advertisers registered of the visitor, for the page /data of landing, which masks it. Nothing of a lead with several
 * clients: they may be several persons.
 */
export class Migration20261123246000 extends Migration {
  override up(): void {
    this.addSql(`
      do $do$ begin
        execute format($create$
          create or replace function visitor_clients(lead_references text[])
          returns table (reference text, name text, email text, phone text, contact bytea, data_key bytea)
          language sql stable security definer set search_path = %1$I, pg_temp
          as $function$
            select l.reference, c.name, c.email, c.phone, c.contact, a.data_key
            from unnest(lead_references) wanted (reference)
            cross join lateral (select * from lead where reference = wanted.reference limit 1) l
            cross join lateral (
              select min(its.name) as name, min(its.email) as email, min(its.phone_number) as phone,
                     (array_agg(its.contact))[1] as contact
              from (
                select name, email, phone_number, contact from client
                where lead_id = l.id and account_id + 0 = l.account_id and not is_test limit 2) its
              having count(*) = 1
            ) c
            cross join lateral (select data_key from account where id = l.account_id limit 1) a
          $function$ $create$, current_schema());
      end $do$;
      revoke all on function visitor_clients(lead_references text[]) from public;
    `);
  }
}
