import { GradualMigration } from './gradual-migration.ts';

// The function counts all days of an account again: only the part that reads leads is another one.
const countsLeads = '(select * from lead where account_id = of_account) of_its';
const countsLiveLeads = '(select * from lead where account_id = of_account and not is_test) of_its';

/** Leads that the advertiser's own server reports: those of tests count nowhere, and a page has those that name none. */
export class Migration20261129100000 extends GradualMigration {
  override async up(): Promise<void> {
    await this.change(
      ['lead'],
      `
        alter table lead
          add column if not exists is_test boolean not null default false,
          add column if not exists ad_user_data boolean;
        create or replace function note_leads() returns trigger language plpgsql as $$
        begin
          insert into metric_increment (account_id, at, landing_page_id, campaign, measure, change)
          select account_id, slot_of(created_at) as at, landing_page_id,
                 case when counts_as_other then other_of(campaign_of(click_parameters, click_times)) else campaign_of(click_parameters, click_times) end as campaign, 'leads' as measure, count(*) as change
          from added where not is_test group by 1, 2, 3, 4;
          return null;
        end $$`,
    );
    await this.change(
      ['landing_page'],
      `
        alter table landing_page add column if not exists is_of_server boolean not null default false;
        create unique index if not exists landing_page_of_server_unique on landing_page (account_id) where is_of_server`,
    );
    await this.execute(`do $do$
      declare
        before text := pg_get_functiondef('change_time_zone(bigint, text)'::regprocedure);
        after text := replace(before, '${countsLeads}', '${countsLiveLeads}');
      begin
        if after = before and strpos(before, '${countsLiveLeads}') = 0 then
          raise exception 'change_time_zone counts leads in a way that this migration does not know';
        end if;
        execute after;
      end $do$`);
  }
}
