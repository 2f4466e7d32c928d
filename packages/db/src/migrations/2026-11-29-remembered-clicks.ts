import { Migration } from '@mikro-orm/migrations';

/** A lead takes over the clicks on other platforms of the earlier lead whose reference the browser keeps. */
export class Migration20261129155000 extends Migration {
  override async up(): Promise<void> {
    // Those of an earlier lead of the account and mode: at most 90 days old at the visit, of platforms that `own` has no click id of,
    // and of none whose visitor refused to be recognized. Null: there are none.
    await this.execute(`
      create or replace function remembered_clicks(of_account bigint, of_test boolean, kept_reference text, own jsonb, visited timestamptz, platforms jsonb)
      returns jsonb language plpgsql stable as $$
      declare
        kept record;
        moment timestamptz := coalesce(visited, now());
        remembered jsonb;
      begin
        select click_parameters, click_times, created_at into kept from lead
        where reference = kept_reference and account_id = of_account and is_test = of_test
          and consent is distinct from false and not global_privacy_control and consent_withdrawn_at is null;
        if not found then return null; end if;
        select jsonb_build_object('ids', jsonb_object_agg(name, id),
                                  'times', jsonb_object_agg(name, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
          into remembered
        from jsonb_each(platforms) its (platform, names)
        cross join lateral jsonb_array_elements_text(names) name
        cross join lateral (
          select kept.click_parameters ->> name as id, coalesce((kept.click_times ->> name)::timestamptz, kept.created_at) as at) click
        where id is not null and at between moment - interval '90 days' and moment
          and not own ?| array(select jsonb_array_elements_text(names));
        return case when remembered -> 'ids' <> 'null' then remembered end;
      end $$;
      do $do$ begin
        execute format('alter function remembered_clicks(bigint, boolean, text, jsonb, timestamptz, jsonb) security definer set search_path = %I, pg_temp', current_schema());
      end $do$;
      revoke all on function remembered_clicks(bigint, boolean, text, jsonb, timestamptz, jsonb) from public`);
  }
}
