import { Migration } from '@mikro-orm/migrations';

/**
 * Encrypted contact data for the page /data of landing, which masks them. A function of its own, so that landing apps of
 * the version before can call `visitor_leads` as it is.
 */
export class Migration20261123245100 extends Migration {
  override up(): void {
    this.addSql(`
      do $do$ begin
        execute format($create$
          create function visitor_contacts(lead_references text[])
          returns table (reference text, contact bytea, data_key bytea)
          language sql stable security definer set search_path = %1$I, pg_temp
          as $function$
            select l.reference, l.contact, a.data_key
            from unnest(lead_references) wanted (reference)
            cross join lateral (
              select * from lead where reference = wanted.reference and contact is not null limit 1) l
            cross join lateral (select data_key from account where id = l.account_id limit 1) a
          $function$ $create$, current_schema());
      end $do$;
      revoke all on function visitor_contacts(lead_references text[]) from public;
    `);
  }
}
