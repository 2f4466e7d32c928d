import { Migration } from '@mikro-orm/migrations';

const at = (column: string) => `coalesce(closed_at, created_at) as ${column}`;

// A partner may share one click among many clients. Every table is read by key, as at the claim of deliveries; what a
// partner's own webhook was told has no personal data.
const told = `
  select c.platform, max(f.told_at) as told_at
  from (select id from client where lead_id = l.id and account_id + 0 = l.account_id limit 1000) registered
  cross join lateral (
    select connection_id, ${at('told_at')} from feedback
    where client_id = registered.id and account_id + 0 = l.account_id and state = 'delivered'
    union all
    select its.*
    from (select id from conversion where client_id = registered.id and account_id + 0 = l.account_id offset 0) v
    cross join lateral (
      select connection_id, ${at('told_at')} from feedback
      where conversion_id = v.id and account_id + 0 = l.account_id and state = 'delivered'
      union all
      select adjusted.*
      from (select id from conversion_adjustment
            where conversion_id = v.id and account_id + 0 = l.account_id offset 0) a
      cross join lateral (
        select connection_id, ${at('told_at')} from feedback
        where adjustment_id = a.id and account_id + 0 = l.account_id and state = 'delivered' offset 0) adjusted
    ) its
  ) f
  cross join lateral (
    select platform from platform_connection where id = f.connection_id and account_id + 0 = l.account_id limit 1) c
  where c.platform <> 'webhook'
  group by c.platform`;

// Of a lead with several clients nothing of them: they may be several persons.
const registered = `
  select min(its.name) as name, min(its.email) as email, min(its.phone_number) as phone,
         (array_agg(its.contact))[1] as contact
  from (select name, email, phone_number, contact from client
        where lead_id = l.id and account_id + 0 = l.account_id and not is_test limit 2) its
  where l.is_proven
  having count(*) = 1`;

/**
 * What the page /data of landing shows of at most ten leads, found by their exact references: contact data, and what the
 * advertiser registered, only of those whose proof is given. With the rights of the owner: the schema is fixed, and
 * temporary tables come last.
 */
const visitorLeads = `
  do $do$ begin
    execute format($create$
      create function visitor_leads(lead_references text[], proofs text[])
      returns table (
        reference text, account_id bigint, clicked_at timestamptz, title text, language text, target_url text, campaign jsonb,
        consent boolean, consent_scope text, global_privacy_control boolean, consent_withdrawn_at timestamptz, told jsonb,
        is_proven boolean, name text, email text, phone text, ip_address text, contact bytea, data_key bytea,
        is_registered boolean, client_name text, client_email text, client_phone text, client_contact bytea)
      language plpgsql stable security definer set search_path = %1$I, pg_temp
      as $function$
      #variable_conflict use_column
      begin
        if cardinality(lead_references) > 10 or cardinality(lead_references) <> cardinality(proofs) then
          raise insufficient_privilege using message = 'at most ten leads at once, each with its proof or null';
        end if;
        return query
        select l.reference, l.account_id, l.created_at, p.title, p.language, p.target_url,
               (select jsonb_object_agg(mark.key, mark.value) from jsonb_each(l.click_marks) mark
                where starts_with(mark.key, 'utm_')),
               l.consent, l.consent_scope, l.global_privacy_control, l.consent_withdrawn_at,
               (select jsonb_agg(jsonb_build_object('platform', its.platform, 'at', its.told_at) order by its.told_at desc)
                from (${told}) its),
               l.is_proven,
               case when l.is_proven then l.name end, case when l.is_proven then l.email end,
               case when l.is_proven then l.phone end, case when l.is_proven then l.ip_address end,
               case when l.is_proven then l.contact end, a.data_key,
               r.is_registered is not null, r.name, r.email, r.phone, r.contact
        from unnest(lead_references, proofs) wanted (reference, proof)
        cross join lateral (
          select its.*, coalesce(its.proof_hash = sha256(convert_to(wanted.proof, 'UTF8')), false) as is_proven
          from lead its where its.reference = wanted.reference limit 1) l
        cross join lateral (select title, language, target_url from landing_page where id = l.landing_page_id limit 1) p
        left join lateral (select data_key from account where id = l.account_id and l.is_proven limit 1) a on true
        left join lateral (select true as is_registered, c.* from (${registered}) c) r on true;
      end $function$ $create$, current_schema());
  end $do$;
  revoke all on function visitor_leads(lead_references text[], proofs text[]) from public;
  drop function visitor_leads(lead_references text[]);
  drop function visitor_contacts(lead_references text[]);
  drop function visitor_clients(lead_references text[]);
`;

/**
 * A lead reference is an address: what proves that a browser has left a lead is in its cookie, and its hash with the lead.
 * Without the proof, an erasure waits for the account to decide.
 */
export class Migration20261128100000 extends Migration {
  override up(): void {
    this.addSql('alter table lead add column proof_hash bytea');
    this.addSql(visitorLeads);
    this.addSql(`
      alter table erasure
        drop constraint erasure_state_check,
        add constraint erasure_state_check check (state in ('pending', 'asked', 'done', 'failed', 'lapsed')),
        add column confirmed_by text constraint erasure_confirmed_by_check check (confirmed_by in ('partner', 'console')),
        add column way text constraint erasure_way_check check (way in ('cookie', 'reference')),
        add column network text`);
    this.addSql(`create index erasure_asked_index on erasure (due_at) where state = 'asked'`);
    // landing has the key to encrypt any person: what it inserts is a visitor's, and an api looks at the proof
    this.addSql(`
      create function visitor_erasure() returns trigger language plpgsql as $$
      begin
        if new.asked_by <> 'visitor' or new.actor <> 'visitor' or new.named_by <> 'lead' or new.is_test then
          raise insufficient_privilege using message = format('%I asks for visitors, and names leads alone', current_user);
        end if;
        return new;
      end $$`);
    this.addSql(`
      create trigger visitor_erasure before insert on erasure for each row
      when (current_user = 'leadback_landing') execute function visitor_erasure()`);
  }
}
