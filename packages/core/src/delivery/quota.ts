import { type Pool, preparedStatement } from '@leadback/db';

export interface QuotaSlotWanted {
  /** The quota: the same for all that share it. */
  readonly name: string;
  readonly perMinute: number;
  readonly perDay: number;
  /** The time zone in which the quota's day begins: an IANA name. */
  readonly timeZone: string;
  /** A slot further ahead than this is not taken. */
  readonly waitMaxMs: number;
}

/** `taken`: the slot begins in `inMs`. Otherwise none was taken, and one may be free in `inMs`. */
export interface QuotaSlot {
  readonly taken: boolean;
  readonly inMs: number;
}

// Slots are spread evenly, so that no interval of a minute has more than the quota, and no list of slots is needed. One
// row per quota decides for all workers.
const takeSlot = preparedStatement<{ taken: boolean; in_ms: number }>(
  'take-quota-slot',
  `with wanted as (
     select $1::text as name, (now() at time zone $2)::date as day, $3 * interval '1 ms' as spacing
   ), slot as (
     insert into platform_quota as q (name, day, used, last_slot_at)
     select name, day, 1, clock_timestamp() from wanted
     on conflict (name) do update set
       day = excluded.day,
       used = case when q.day = excluded.day then q.used + 1 else 1 end,
       last_slot_at = greatest(q.last_slot_at + $3 * interval '1 ms', clock_timestamp())
     where (q.day <> excluded.day or q.used < $4)
       and q.last_slot_at + $3 * interval '1 ms' <= clock_timestamp() + $5 * interval '1 ms'
     returning last_slot_at
   )
   select true as taken, extract(epoch from last_slot_at - clock_timestamp())::float8 * 1000 as in_ms from slot
   union all
   select false, extract(epoch from
     case when q.day = wanted.day and q.used >= $4 then (wanted.day + 1)::timestamp at time zone $2
          else q.last_slot_at + wanted.spacing end - clock_timestamp())::float8 * 1000
   from platform_quota q join wanted using (name) where not exists (select from slot)`,
);

const minuteMs = 60_000;
// two requests may arrive closer to each other than they were sent
const marginMs = 5;

/** Takes the next slot of a platform's quota, by PostgreSQL's clock. */
export const takeQuotaSlot = async (
  pool: Pool,
  { name, perMinute, perDay, timeZone, waitMaxMs }: QuotaSlotWanted,
): Promise<QuotaSlot> => {
  const [row] = await takeSlot(pool, [name, timeZone, minuteMs / perMinute + marginMs, perDay, waitMaxMs]);
  if (row === undefined) return { taken: false, inMs: waitMaxMs };
  return { taken: row.taken, inMs: Math.max(0, Math.ceil(row.in_ms)) };
};
