import { type AccountId, sourceTroubles, type SourceTrouble } from '@leadback/domain';
import { type Queryable, statement } from '@leadback/db';

// a stranger may call an address once or twice; and a shop whose secret is just being changed
const refusedMin = 3;

/** SQL: whether all that a source was sent last had a wrong signature. */
export const isRefused = (source: string, lastEventAt: string): string =>
  `(${source}.refused_count >= ${refusedMin} and ${source}.refused_at > coalesce(${lastEventAt}, '-infinity'))`;

/** A source of which nothing counts until a person acts. */
export interface HeldSource {
  readonly id: number;
  readonly accountId: AccountId;
  readonly kind: string;
  readonly label: string;
  readonly trouble: SourceTrouble;
  readonly since: Date;
  /** Why the other side refuses it, in its words. */
  readonly reason: string | null;
  /** Events that wait. */
  readonly waiting: number;
  /** Requests with a wrong signature. */
  readonly refused: number;
}

// one that is paused waits for nobody while nothing waits in it
const troubled = `
  select s.id, s.account_id, s.kind, s.label, t.trouble, w.waiting,
         case when t.trouble = 'refused' then s.refused_since else s.state_since end as since,
         case when t.trouble = 'needs_attention' then s.state_reason end as reason,
         case when t.trouble = 'refused' then s.refused_count else 0 end as refused
  from source s
  cross join lateral (
    select count(*)::int as waiting from (
      select from source_event where source_id = s.id and finished_at is null limit 10000) open
  ) w
  left join lateral (select received_at from source_event where source_id = s.id order by id desc limit 1) newest on true
  cross join lateral (
    select case when s.state = 'needs_attention' then s.state
                when ${isRefused('s', 'newest.received_at')} then 'refused'
                when s.state = 'paused' and w.waiting > 0 then s.state end as trouble
  ) t
  where s.deleted_at is null and (s.state <> 'active' or s.refused_count >= ${refusedMin})`;

const held = statement<HeldSource>(
  `select id, account_id as "accountId", kind, label, trouble, since, reason, waiting, refused
   from (${troubled}) source where trouble is not null and account_id = coalesce($1, account_id) order by id limit $2`,
);

/** The one rule for sources that wait for a person. Of all accounts without one. */
export const readHeldSources = (on: Queryable, accountId: AccountId | undefined, max: number): Promise<HeldSource[]> =>
  held(on, [accountId ?? null, max]);

/** How many sources there are of a kind, by what is wrong with them; `none`: nothing. */
export interface SourceCount {
  readonly kind: string;
  readonly trouble: SourceTrouble | 'none';
  readonly sources: number;
}

export const sourceConditions = ['none', ...sourceTroubles] as const;

const count = statement<SourceCount>(
  `select s.kind, coalesce(t.trouble, 'none') as trouble, count(*)::int as sources
   from source s left join (${troubled}) t on t.id = s.id where s.deleted_at is null group by 1, 2`,
);

export const countSources = (on: Queryable): Promise<SourceCount[]> => count(on, []);
