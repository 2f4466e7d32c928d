/** Erasures of people, and what visitors see and decide on the page /data of landing. */
export const erasures = `
  create table erasure (
    id text primary key,
    account_id bigint not null,
    asked_by text not null,
    actor text not null,
    is_test boolean not null default false,
    named_by text not null,
    subject bytea,
    state text not null default 'pending',
    failures int not null default 0,
    due_at timestamptz(6) not null default now(),
    requested_at timestamptz(6) not null default now(),
    finished_at timestamptz(6),
    receipt text,
    signature text,
    key_id text,
    confirmed_by text,
    way text,
    network text,
    subject_hash text,
    erased_at timestamptz(6),
    decided_at timestamptz(6) not null default now(),
    tried_at timestamptz(6),
    constraint erasure_asked_by_check check (asked_by in ('visitor', 'partner', 'operator', 'console')),
    constraint erasure_confirmed_by_check check (confirmed_by in ('partner', 'console')),
    constraint erasure_named_by_check check (named_by in ('email', 'lead', 'reference')),
    constraint erasure_state_check check (state in ('pending', 'asked', 'done', 'failed', 'lapsed')),
    constraint erasure_way_check check (way in ('cookie', 'reference'))
  );
  create index erasure_actor_index on erasure (account_id, actor, decided_at);
  create index erasure_asked_index on erasure (due_at) where state = 'asked';
  -- partners, operators and the console come before visitors
  create index erasure_due_index on erasure (account_id, due_at) where (state = 'pending')
      and ((asked_by <> 'visitor') or (confirmed_by is not null) or (erased_at is not null));
  create index erasure_due_visitor_index on erasure (account_id, due_at) where state = 'pending'
      and asked_by = 'visitor' and confirmed_by is null and erased_at is null;
  create index erasure_listed_index on erasure (account_id, requested_at, id);
  create index erasure_network_index on erasure (account_id, network) where asked_by = 'visitor'
      and finished_at is null and erased_at is null;
  create unique index erasure_open_index on erasure (account_id, is_test, subject_hash) where finished_at is null
      and erased_at is null;
  create index erasure_subject_index on erasure (account_id, subject_hash) where subject_hash is not null;
  create index erasure_tried_index on erasure (account_id, tried_at) where tried_at is not null;

  create table erased_key (
    account_id bigint not null,
    hash text not null,
    erased_at timestamptz(6) not null default now(),
    asked_by text not null,
    erasure_id text not null,
    allowed_at timestamptz(6),
    primary key (account_id, hash),
    constraint erased_key_asked_by_check check (asked_by in ('visitor', 'partner', 'operator', 'console'))
  );
  create index erased_key_erasure_index on erased_key (account_id, erasure_id);

  create table receipt_key (
    id text primary key,
    public_key bytea not null,
    created_at timestamptz(6) not null default now()
  );

  create table consent_withdrawal (
    reference text primary key,
    asked_at timestamptz(6) not null default now()
  );

  -- Those that were registered with it, and those that clicked again.
  create function clients_of_lead(of_lead bigint) returns bigint[] language sql stable as $$
    select array(select id from client where lead_id = of_lead)
           || array(select client_id from client_lead where lead_id = of_lead)
  $$;

  -- Landing may ask it, and read no client.
  create function lead_has_client(of_account bigint,
      lead_reference text) returns boolean language sql stable as $$
            select exists (
              select from (select id from lead where reference = lead_reference limit 1) l
              cross join lateral (
                select contact, external_reference, test_reference from client
                where account_id + 0 = of_account and id = any(clients_of_lead(l.id)) offset 0) c
              where num_nonnulls(c.contact, c.external_reference, c.test_reference) > 0)
          $$;

  -- Landing has the key to encrypt any person: what it inserts is a visitor's, and an api looks at the proof.
  create function visitor_erasure() returns trigger language plpgsql as $$
      begin
        if new.asked_by <> 'visitor' or new.actor <> 'visitor' or new.named_by <> 'lead' or new.is_test then
          raise insufficient_privilege using message = format('%I asks for visitors, and names leads alone', current_user);
        end if;
        return new;
      end $$;

  -- What the page /data of landing shows of at most ten leads, found by their exact references: contact data, and what the
  -- advertiser registered, only of those whose proof is given. Of a lead with several clients nothing of them: they may be
  -- several persons. With the rights of the owner: the schema is fixed, and temporary tables come last. What a partner's own
  -- webhook was sent has no personal data.
  create function visitor_leads(lead_references text[], proofs text[]) returns table(reference text,
      account_id bigint, clicked_at timestamptz, title text, language text, target_url text, campaign jsonb,
      consent boolean, consent_scope text, global_privacy_control boolean, consent_withdrawn_at timestamptz,
      told jsonb, is_proven boolean, contact bytea, data_key bytea, is_registered boolean,
      client_contact bytea, client_contact_owner text) language plpgsql stable as $$
      #variable_conflict use_column
      begin
        if cardinality(lead_references) > 10 or cardinality(lead_references) <> cardinality(proofs) then
          raise insufficient_privilege using message = 'at most ten leads at once, each with its proof or null';
        end if;
        return query
        select l.reference, l.account_id, l.created_at, p.title, p.language, p.target_url,
               (select jsonb_object_agg(mark.key, mark.value) from jsonb_each(l.click_parameters) mark
                where starts_with(mark.key, 'utm_')),
               l.consent, l.consent_scope, l.global_privacy_control, l.consent_withdrawn_at,
               (select jsonb_agg(jsonb_build_object('platform', its.platform, 'at', its.told_at) order by its.told_at desc)
                from (
  select c.platform, max(f.told_at) as told_at
  from (select id from unnest(clients_of_lead(l.id)) id limit 1000) registered
  cross join lateral (
    select connection_id, coalesce(closed_at, created_at) as told_at from delivery
    where client_id = registered.id and account_id + 0 = l.account_id and state = 'delivered'
    union all
    select its.*
    from (select id from conversion where client_id = registered.id and account_id + 0 = l.account_id offset 0) v
    cross join lateral (
      select connection_id, coalesce(closed_at, created_at) as told_at from delivery
      where conversion_id = v.id and account_id + 0 = l.account_id and state = 'delivered'
      union all
      select adjusted.*
      from (select id from conversion_adjustment
            where conversion_id = v.id and account_id + 0 = l.account_id offset 0) a
      cross join lateral (
        select connection_id, coalesce(closed_at, created_at) as told_at from delivery
        where adjustment_id = a.id and account_id + 0 = l.account_id and state = 'delivered' offset 0) adjusted
    ) its
  ) f
  cross join lateral (
    select platform from platform_connection where id = f.connection_id and account_id + 0 = l.account_id limit 1) c
  where c.platform <> 'webhook'
  group by c.platform) its),
               l.is_proven,
               case when l.is_proven then l.contact end, a.data_key, r.is_registered is not null, r.contact, r.contact_owner
        from unnest(lead_references, proofs) wanted (reference, proof)
        cross join lateral (
          select its.*, coalesce(its.proof_hash = sha256(convert_to(wanted.proof, 'UTF8')), false) as is_proven
          from lead its where its.reference = wanted.reference limit 1) l
        cross join lateral (select title, language, target_url from landing_page where id = l.landing_page_id limit 1) p
        left join lateral (select data_key from account where id = l.account_id and l.is_proven limit 1) a on true
        left join lateral (select true as is_registered, c.* from (
  select (array_agg(its.contact))[1] as contact, (array_agg(its.reference))[1] as contact_owner
  from (select c.contact, own.reference from client c join lead own on own.id = c.lead_id
        where c.id = any(clients_of_lead(l.id)) and c.account_id + 0 = l.account_id and not c.is_test limit 2) its
  where l.is_proven
  having count(*) = 1) c) r on true;
      end $$;

  -- Returns whether the lead is recorded. If not, the wish is kept until it is.
  create function withdraw_consent(lead_reference text) returns boolean language plpgsql as $$
   begin
     update lead set consent_withdrawn_at = coalesce(consent_withdrawn_at, now()) where reference = lead_reference;
     if found then return true; end if;
     insert into consent_withdrawal (reference) values (lead_reference) on conflict do nothing;
     return false;
   end $$;

  -- For leads that were buffered and have been recorded.
  create function apply_consent_withdrawals(lead_references text[]) returns void language sql as $$
   with wish as (
     delete from consent_withdrawal w where w.reference = any(lead_references) returning w.reference, w.asked_at
   )
   update lead set consent_withdrawn_at = coalesce(lead.consent_withdrawn_at, wish.asked_at)
   from wish where lead.reference = any(array(select reference from wish)) and lead.reference = wish.reference $$;

  create trigger visitor_erasure before insert on erasure for each row
    when (current_user = 'leadback_landing')
    execute function visitor_erasure();
`;
