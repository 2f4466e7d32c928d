import { z } from 'zod';
import type { Partner } from './given-partner.ts';
import type { TestStack } from './given-stack.ts';

const rowsSchema = z.array(
  z.object({
    state: z.string(),
    attempts: z.number(),
    isParked: z.boolean(),
    /** From the latest attempt to the next. */
    pauseSeconds: z.number(),
    /** Outcome and HTTP status of each attempt. */
    outcomes: z.array(z.string()),
  }),
);

const statement = `select f.state, f.attempts, f.held_until = 'infinity' as "isParked",
    coalesce(extract(epoch from least(f.held_until, now() + interval '1 year') - max(a.created_at)), 0)::float8 as "pauseSeconds",
    coalesce(json_agg(a.outcome || ' ' || coalesce(a.http_status, 0) order by a.id) filter (where a.id is not null), '[]')
      as outcomes
  from feedback f left join feedback_attempt a on a.feedback_id = f.id
  where f.connection_id = $1 group by f.id order by f.id`;

/** The deliveries of a partner to a platform. */
export const feedbackOf = async (
  { database }: TestStack,
  partner: Partner,
  platform: 'meta' | 'google' = 'meta',
): Promise<z.infer<typeof rowsSchema>> =>
  rowsSchema.parse((await database.pool.query(statement, [partner[platform].id])).rows);
