import { z } from 'zod';
import type { Partner } from './given-partner.ts';
import type { TestStack } from './given-stack.ts';

const rowsSchema = z.array(
  z.object({
    state: z.string(),
    attempts: z.number(),
    /** Whether it waits for its connection. */
    isHeld: z.boolean(),
    /** From the latest attempt to the next. */
    pauseSeconds: z.number(),
    /** Outcome and HTTP status of each attempt. */
    outcomes: z.array(z.string()),
  }),
);

const statement = `select f.state, f.attempts, f.state = 'pending' and c.state <> 'active' as "isHeld",
    coalesce(extract(epoch from d.not_before - max(a.created_at)), 0)::float8 as "pauseSeconds",
    coalesce(json_agg(a.outcome || ' ' || coalesce(a.http_status, 0) order by a.id) filter (where a.id is not null), '[]')
      as outcomes
  from delivery f
  join platform_connection c on c.id = f.connection_id
  left join delivery_due d on d.id = f.parcel_id
  left join delivery_attempt a on a.delivery_id = f.id
  where f.connection_id = $1 group by f.id, c.id, d.id order by f.id`;

/** The deliveries of a partner to a platform. */
export const deliveriesOf = async (
  { database }: TestStack,
  partner: Partner,
  platform: 'meta' | 'google' = 'meta',
): Promise<z.infer<typeof rowsSchema>> =>
  rowsSchema.parse((await database.pool.query(statement, [partner[platform].id])).rows);
