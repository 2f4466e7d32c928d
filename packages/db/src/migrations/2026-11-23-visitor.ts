import { Migration } from '@mikro-orm/migrations';
import { changeWithLockRetry } from '../change-with-lock-retry.ts';

const withdrawal = `
  alter table lead add column if not exists consent_withdrawn_at timestamptz(6);

  create table if not exists consent_withdrawal (
    reference text not null primary key,
    asked_at timestamptz(6) not null default now()
  );
`;

// With the rights of the owner, so that the role of the caller needs none on the tables: the schema is fixed, and temporary
// tables come last. Nobody may call them but those to whom grant-to-apps.ts gives the right.
const asOwner = (signature: string, returns: string, body: string) => `
  do $do$ begin
    execute format($create$
      create or replace function ${signature} ${returns} security definer set search_path = %1$I, pg_temp
      as $function$ ${body} $function$ $create$, current_schema());
  end $do$;
  revoke all on function ${signature} from public;
`;

// A partner may share one click among many clients. Every table is read by key, as at the claim of deliveries; what a
// partner's own webhook was told has no personal data.
const told = `
  select c.platform, max(f.told_at) as told_at
  from (select id from client where lead_id = l.id and account_id + 0 = l.account_id limit 1000) registered
  cross join lateral (
    select connection_id, coalesce(closed_at, created_at) as told_at from feedback
    where client_id = registered.id and account_id + 0 = l.account_id and state = 'delivered'
    union all
    select its.*
    from (select id from conversion where client_id = registered.id and account_id + 0 = l.account_id offset 0) v
    cross join lateral (
      select connection_id, coalesce(closed_at, created_at) from feedback
      where conversion_id = v.id and account_id + 0 = l.account_id and state = 'delivered'
      union all
      select adjusted.*
      from (select id from conversion_adjustment
            where conversion_id = v.id and account_id + 0 = l.account_id offset 0) a
      cross join lateral (
        select connection_id, coalesce(closed_at, created_at) from feedback
        where adjustment_id = a.id and account_id + 0 = l.account_id and state = 'delivered' offset 0) adjusted
    ) its
  ) f
  cross join lateral (
    select platform from platform_connection where id = f.connection_id and account_id + 0 = l.account_id limit 1) c
  where c.platform <> 'webhook'
  group by c.platform`;

/** What the page /data shows of leads, found by their exact references. */
const shown = asOwner(
  'visitor_leads(lead_references text[])',
  `returns table (
     reference text, account_id bigint, clicked_at timestamptz, title text, language text, target_url text, campaign jsonb,
     consent boolean, consent_scope text, global_privacy_control boolean, consent_withdrawn_at timestamptz,
     name text, email text, phone text, ip_address text, told jsonb)
   language sql stable`,
  `select l.reference, l.account_id, l.created_at, p.title, p.language, p.target_url,
          (select jsonb_object_agg(mark.key, mark.value) from jsonb_each(l.click_marks) mark
           where starts_with(mark.key, 'utm_')),
          l.consent, l.consent_scope, l.global_privacy_control, l.consent_withdrawn_at, l.name, l.email, l.phone, l.ip_address,
          (select jsonb_agg(jsonb_build_object('platform', its.platform, 'at', its.told_at) order by its.told_at desc)
           from (${told}) its)
   from unnest(lead_references) wanted (reference)
   cross join lateral (select * from lead where reference = wanted.reference limit 1) l
   cross join lateral (select title, language, target_url from landing_page where id = l.landing_page_id limit 1) p`,
);

/** Returns whether the lead is recorded. If not, the wish is kept until it is. */
const withdrawn = asOwner(
  'withdraw_consent(lead_reference text)',
  'returns boolean language plpgsql',
  `begin
     update lead set consent_withdrawn_at = coalesce(consent_withdrawn_at, now()) where reference = lead_reference;
     if found then return true; end if;
     insert into consent_withdrawal (reference) values (lead_reference) on conflict do nothing;
     return false;
   end`,
);

/** For leads that were buffered and have been recorded. */
const applied = asOwner(
  'apply_consent_withdrawals(lead_references text[])',
  'returns void language sql',
  `with wish as (
     delete from consent_withdrawal w where w.reference = any(lead_references) returning w.reference, w.asked_at
   )
   update lead set consent_withdrawn_at = coalesce(lead.consent_withdrawn_at, wish.asked_at)
   from wish where lead.reference = any(array(select reference from wish)) and lead.reference = wish.reference`,
);

/**
 * What visitors see and decide on the page /data of landing: its role may call three functions, and read no more of leads
 * and clients than they return. Runs beside apps of the version before.
 */
export class Migration20261123245000 extends Migration {
  // waits for locks with pauses, in transactions of its own
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    await changeWithLockRetry((sql) => this.execute(sql), {
      tables: ['lead'],
      change: withdrawal + shown + withdrawn + applied,
    });
  }
}
