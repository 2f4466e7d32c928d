import { GradualMigration } from './gradual-migration.ts';

// of Google, whose ads send the visitor to the site and the click to their tracking template at the same time
const click = (row: string) =>
  `coalesce(${['gclid', 'gbraid', 'wbraid'].map((name) => `${row}click_parameters ->> '${name}'`).join(', ')})`;

/**
 * Leads that came without a visit to a landing page: of a click in the background, of which nobody knows the reference, and of a report
 * of the site or its server. Both of one click are one lead, with the reference that was reported.
 */
export class Migration20261129150000 extends GradualMigration {
  override async up(): Promise<void> {
    await this.change(
      ['lead'],
      `
        alter table lead
          add column if not exists reported_by text,
          drop constraint if exists lead_reported_by_check,
          add constraint lead_reported_by_check check (reported_by in ('script', 'server', 'background')) not valid`,
    );
    await this.execute('alter table lead validate constraint lead_reported_by_check');
    // one that was not finished finds nothing
    await this.execute('drop index concurrently if exists lead_reported_click_index');
    await this.execute(`create index concurrently lead_reported_click_index on lead (account_id, (${click('')}), is_test)
      where reported_by is not null`);
    await this.execute(`
      -- Those of one click come one after the other: the second sees the first. A lead of a click in the background gives way to the one
      -- that is reported, which takes over what it lacks, and is counted in its place.
      create or replace function join_background_click() returns trigger language plpgsql as $$
      declare
        of_click text := ${click('new.')};
        found_id bigint;
        known lead%rowtype;
      begin
        perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', new.account_id, new.is_test, of_click), 29));
        if new.reported_by = 'background' then
          select id into found_id from lead l
          where l.account_id = new.account_id and ${click('l.')} = of_click and l.is_test = new.is_test and l.reported_by is not null
          limit 1;
          if found then return null; end if;
          return new;
        end if;
        select id into found_id from lead l
        where l.account_id = new.account_id and ${click('l.')} = of_click and l.is_test = new.is_test and l.reported_by = 'background'
        limit 1;
        if not found then return new; end if;
        delete from lead where id = found_id returning * into known;
        insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
        select known.account_id, slot_of(known.created_at), known.landing_page_id,
               case when known.counts_as_other then other_of(its.campaign) else its.campaign end, 'leads', -1
        from (select campaign_of(known.click_parameters, known.click_times) as campaign) its
        where not known.is_test;
        new.click_parameters := known.click_parameters || new.click_parameters;
        new.created_at := least(known.created_at, new.created_at);
        new.global_privacy_control := known.global_privacy_control or new.global_privacy_control;
        return new;
      end $$;
      do $do$ begin
        execute format('alter function join_background_click() security definer set search_path = %I, pg_temp', current_schema());
      end $do$;
      revoke all on function join_background_click() from public`);
    await this.change(
      ['lead'],
      `
        create or replace trigger background_click_joined before insert on lead for each row
          when (new.reported_by is not null and ${click('new.')} is not null)
          execute function join_background_click()`,
    );
  }
}
