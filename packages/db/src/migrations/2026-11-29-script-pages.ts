import { GradualMigration } from './gradual-migration.ts';

/**
 * Pages whose leads are reported by the script on the advertiser's own pages. Landing of 1.0.0 redirects to their target, as from
 * a direct page.
 */
export class Migration20261129110000 extends GradualMigration {
  override async up(): Promise<void> {
    await this.change(
      ['landing_page'],
      `
        alter table landing_page
          add column if not exists origins text[] not null default '{}',
          add column if not exists waits_for_consent boolean not null default false,
          drop constraint if exists landing_page_mode_check,
          add constraint landing_page_mode_check check (mode in ('page', 'direct', 'script')),
          drop constraint if exists landing_page_origins_check,
          add constraint landing_page_origins_check check (mode <> 'script' or cardinality(origins) > 0)`,
    );
    // A page can withdraw consent of leads of its own account alone. A lead that is buffered is of an account that nobody knows yet.
    await this.execute(`
      create or replace function withdraw_consent_in(of_account bigint, lead_reference text) returns boolean
      language plpgsql as $$
      declare found_in bigint;
      begin
        select account_id into found_in from lead where reference = lead_reference;
        if found_in <> of_account then return true; end if;
        return withdraw_consent(lead_reference);
      end $$;
      do $do$ begin
        execute format('alter function withdraw_consent_in(bigint, text) security definer set search_path = %I, pg_temp', current_schema());
      end $do$;
      revoke all on function withdraw_consent_in(bigint, text) from public`);
  }
}
