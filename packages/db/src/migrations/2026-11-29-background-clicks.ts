import { GradualMigration } from './gradual-migration.ts';

// whose ads send the visitor to the site and the click to their tracking template at the same time
const google = ['gclid', 'gbraid', 'wbraid'];
const others = ['fbclid', 'ttclid', 'msclkid', 'li_fat_id', 'epik', 'ScCid', 'twclid', 'rdt_cid', 'oppref'];

// by which a lead of any platform's click is found again: that of Google, if there is one
const click = `coalesce(${[...google, ...others].map((name) => `click_parameters ->> '${name}'`).join(', ')})`;

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
    await this.execute(`create index concurrently lead_reported_click_index on lead (hashtextextended(${click}, account_id))
      where reported_by is not null`);
    // Joins leads that are about to be inserted with those of the same click. Those of one click take turns: each statement after the locks
    // sees what the others have committed. A lead of a click in the background gives way to the one that is reported, which takes over
    // what it lacks, and is counted in its place. Returns what is known of them, by their places from 1: a click in the background of which
    // a lead is known is not to be inserted. Null: a lead without a click of Google.
    await this.execute(`
      create or replace function join_background_clicks(of_accounts bigint[], of_tests boolean[], clicks text[], in_background boolean[])
      returns table (place bigint, is_known boolean, click_parameters jsonb, clicked_at timestamptz, global_privacy_control boolean)
      language plpgsql as $$
      #variable_conflict use_column
      begin
        perform pg_advisory_xact_lock(turn) from (
          select distinct hashtextextended(click, account) as turn from unnest(of_accounts, clicks) w (account, click)
          where click is not null order by turn) turns;
        -- as nearly always
        if not true = any(in_background) then
          perform from unnest(of_accounts, clicks) w (account, click) cross join lateral (
            select from lead where hashtextextended(${click}, account_id) = hashtextextended(w.click, w.account)
              and reported_by is not null and reported_by = 'background' limit 1) l
          limit 1;
          if not found then return; end if;
        end if;
        return query
        with wanted as materialized (
          select *, row_number() over (partition by account, test, click, background order by at_place) as nth
          from unnest(of_accounts, of_tests, clicks, in_background) with ordinality w (account, test, click, background, at_place)
          where click is not null
        ), found as materialized (
          select w.at_place, w.background, l.id
          from wanted w cross join lateral (
            select id from lead
            where hashtextextended(${click}, account_id) = hashtextextended(w.click, w.account) and reported_by is not null
              and account_id = w.account and is_test = w.test and ${click} = w.click
              and (w.background or reported_by = 'background')
            limit 1) l
          where w.nth = 1
        ), gone as (
          delete from lead l where id = any(array(select id from found where not background)) returning l.*
        ), counted as (
          insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
          select account_id, slot_of(created_at), landing_page_id,
                 case when counts_as_other then other_of(campaign) else campaign end, 'leads', -1
          from gone l cross join lateral (select campaign_of(l.click_parameters, l.click_times) as campaign) its
          where not is_test
        )
        select f.at_place, f.background, g.click_parameters, g.created_at, g.global_privacy_control
        from found f left join gone g on g.id = f.id
        union all
        select w.at_place, true, null, null, null from wanted w where w.background and w.nth > 1;
      end $$;
      do $do$ begin
        execute format('alter function join_background_clicks(bigint[], boolean[], text[], boolean[]) security definer set search_path = %I, pg_temp', current_schema());
      end $do$;
      revoke all on function join_background_clicks(bigint[], boolean[], text[], boolean[]) from public`);
  }
}
