import { Migration } from '@mikro-orm/migrations';

/**
 * Erasures: one open one of a person, in turn by account and asker; who asked for what is suppressed, and the leave to
 * register a person again; imported rows that are found by what they name.
 */
export class Migration20261128200000 extends Migration {
  override up(): void {
    this.addSql('alter table erasure add column subject_hash text, add column erased_at timestamptz(6)');
    this.addSql('drop index erasure_due_index');
    this.addSql(`
      create index erasure_due_index on erasure (account_id, due_at)
      where state = 'pending' and (asked_by <> 'visitor' or confirmed_by is not null or erased_at is not null)`);
    this.addSql(`
      create index erasure_due_visitor_index on erasure (account_id, due_at)
      where state = 'pending' and asked_by = 'visitor' and confirmed_by is null and erased_at is null`);
    this.addSql(`
      create unique index erasure_open_index on erasure (account_id, is_test, subject_hash)
      where finished_at is null and erased_at is null`);
    this.addSql(
      'create index erasure_subject_index on erasure (account_id, subject_hash) where subject_hash is not null',
    );
    this.addSql(`
      create index erasure_finished_index on erasure (account_id, finished_at) where finished_at is not null`);

    this.addSql(`
      alter table erased_key
        add column asked_by text constraint erased_key_asked_by_check
          check (asked_by in ('visitor', 'partner', 'operator', 'console')),
        add column erasure_id text,
        add column allowed_at timestamptz(6)`);
    // those that a visitor may have asked for name nobody who was verified; the rest get the erasure that was in progress
    this.addSql(`
      delete from erased_key k where exists (
        select from erasure e where e.account_id = k.account_id and e.asked_by = 'visitor'
          and k.erased_at between e.requested_at and coalesce(e.finished_at, 'infinity'))`);
    this.addSql(`
      update erased_key k set asked_by = e.asked_by, erasure_id = e.id
      from erasure e where e.account_id = k.account_id
        and k.erased_at between e.requested_at and coalesce(e.finished_at, 'infinity')`);
    this.addSql('delete from erased_key where erasure_id is null');
    this.addSql('alter table erased_key alter column asked_by set not null, alter column erasure_id set not null');
    this.addSql('create index erased_key_erasure_index on erased_key (account_id, erasure_id)');

    // landing may ask it, and read no client
    this.addSql(`
      do $do$ begin
        execute format($create$
          create function lead_has_client(of_account bigint, lead_reference text) returns boolean
          language sql stable security definer set search_path = %1$I, pg_temp
          as $function$
            select exists (
              select from (select id from lead where reference = lead_reference limit 1) l
              cross join lateral (
                select name, email, email_key, test_email_key, phone_number, contact, external_reference, test_reference
                from client where lead_id = l.id and account_id + 0 = of_account offset 0) c
              where num_nonnulls(c.name, c.email, c.email_key, c.test_email_key, c.phone_number, c.contact,
                                 c.external_reference, c.test_reference) > 0)
          $function$ $create$, current_schema());
      end $do$;
      revoke all on function lead_has_client(bigint, text) from public`);

    // Hashes alone: what they find is compared in full. An email with letters beyond ASCII is compared by JavaScript.
    this.addSql(
      'alter table import_row add column email_mark bigint, add column reference_mark bigint, add column lead_mark bigint',
    );
    this.addSql(`
      create function import_mark(account_id bigint, kind text, value text) returns bigint language sql immutable
      return hashtextextended(concat(account_id::text, ' ', kind, ' ', value), 0)`);
    this.addSql(`
      create function mark_import_row() returns trigger language plpgsql as $$
      declare
        about record;
        blank text := U&' \\0009\\000A\\000B\\000C\\000D\\00A0\\1680\\2000\\2001\\2002\\2003\\2004\\2005\\2006\\2007\\2008\\2009\\200A\\2028\\2029\\202F\\205F\\3000\\FEFF';
        email text;
        reference text;
        lead_reference text;
      begin
        -- a copy of a row has its marks already, and its import comes later
        select account_id, subject, columns into about from import where id = new.import_id;
        if not found then return new; end if;
        email := lower(btrim(new.cells ->> (array_position(about.columns, 'email') - 1), blank));
        reference := btrim(new.cells ->> (array_position(about.columns,
          case about.subject when 'client' then 'externalReference' else 'clientExternalReference' end) - 1), blank);
        lead_reference := btrim(new.cells ->> (array_position(about.columns, 'leadReference') - 1), blank);
        new.email_mark := case
          when email ~ '[^ -~]' then import_mark(about.account_id, 'unusual', 'email')
          when email <> '' then import_mark(about.account_id, 'email', email) end;
        new.reference_mark := case when reference <> '' then import_mark(about.account_id, 'reference', reference) end;
        new.lead_mark := case when lead_reference <> '' then import_mark(about.account_id, 'lead', lead_reference) end;
        return new;
      end $$`);
    this.addSql(`
      create trigger mark_import_row before insert or update of cells on import_row
      for each row execute function mark_import_row()`);
    this.addSql('update import_row set cells = cells');
    this.addSql('create index import_row_email_mark_index on import_row (email_mark) where email_mark is not null');
    this.addSql(
      'create index import_row_reference_mark_index on import_row (reference_mark) where reference_mark is not null',
    );
    this.addSql('create index import_row_lead_mark_index on import_row (lead_mark) where lead_mark is not null');
    this.addSql('create index import_row_record_index on import_row (record_id) where record_id is not null');
  }
}
