import { platformNames } from '@leadback/domain';
import { z } from 'zod';
import type { EntityManager } from '../database.ts';

const rowsMax = 10_000;
const looksMax = 100;

const backlogSchema = z.array(
  z.object({
    platform: z.enum(platformNames),
    waiting: z.number(),
    parked: z.number(),
    /** Whether there is more than was counted. */
    isMore: z.boolean(),
    oldestId: z.coerce.number().nullable(),
    oldestForSeconds: z.number().nullable(),
  }),
);

/** What waits for one platform. */
export type PlatformBacklog = z.infer<typeof backlogSchema>[number];

/**
 * What is pending at each platform that has connections: how much waits to be sent, how much for its connection to be
 * resumed, and which has been free to be sent for longest. Of each connection 10 000 rows of either kind are counted at
 * most, and the first 100 to come are looked at for the oldest, so that it costs little however long a backlog is.
 */
export const readBacklog = async (em: EntityManager): Promise<PlatformBacklog[]> => {
  const counted = (which: string) => `select count(*)::int as rows from (
    select from feedback where connection_id = c.id and state = 'pending' and ${which} limit ${rowsMax}) f`;
  return backlogSchema.parse(
    await em.execute(`select c.platform, sum(waiting.rows)::int as waiting, sum(parked.rows)::int as parked,
        bool_or(waiting.rows = ${rowsMax} or parked.rows = ${rowsMax}) as "isMore",
        (array_agg(oldest.id order by oldest.held_until))[1] as "oldestId",
        extract(epoch from now() - min(oldest.held_until))::float8 as "oldestForSeconds"
      from platform_connection c
      cross join lateral (${counted(`due_at < 'infinity'`)}) waiting
      cross join lateral (${counted(`due_at = 'infinity'`)}) parked
      left join lateral (
        select id, held_until from (
          select id, held_until from feedback
          where connection_id = c.id and state = 'pending' and due_at < 'infinity' order by due_at limit ${looksMax}
        ) f where held_until <= now() order by held_until limit 1
      ) oldest on true
      group by c.platform order by c.platform`),
  );
};
