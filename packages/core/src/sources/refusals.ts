import { type Queryable, statement } from '@leadback/db';

// anybody who knows the address can cause as many as a source may get
const pauseMs = 60_000;

// those from before the last genuine request count no more
const add = statement(
  `update source s
   set refused_count = least(case when before.is_over then 0 else s.refused_count end + $2::bigint, 2147483647)::int,
       refused_since = case when before.is_over then now() else s.refused_since end, refused_at = now()
   from (
     select s.refused_at is null or coalesce(newest.received_at > s.refused_at, false) as is_over
     from source s
     left join lateral (select received_at from source_event where source_id = s.id order by id desc limit 1) newest on true
     where s.id = $1
   ) before
   where s.id = $1 and s.deleted_at is null`,
);

/** Counts requests whose signature is wrong, and saves the counts: of each source at most once a minute. */
export const refusalCounter = () => {
  const counts = new Map<number, number>();
  const saved = new Map<number, number>();
  return {
    note(sourceId: number): void {
      counts.set(sourceId, (counts.get(sourceId) ?? 0) + 1);
    },
    async save(on: Queryable, nowMs = Date.now()): Promise<void> {
      for (const [id, atMs] of saved) if (nowMs - atMs >= pauseMs) saved.delete(id);
      for (const [id, count] of counts) {
        if (saved.has(id)) continue;
        saved.set(id, nowMs);
        await add(on, [id, count]);
        const more = (counts.get(id) ?? 0) - count;
        if (more > 0) counts.set(id, more);
        else counts.delete(id);
      }
    },
  };
};

export type RefusalCounter = ReturnType<typeof refusalCounter>;
