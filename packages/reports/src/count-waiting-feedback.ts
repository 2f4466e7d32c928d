import { z } from 'zod';
import type { EntityManager } from '@leadback/db';

const rowsSchema = z.array(z.object({ id: z.coerce.number(), waiting: z.number() }));

/** Counts pending feedback by connection id. Connections without any are left out. */
export const countWaitingFeedback = async (
  em: EntityManager,
  accountId: number,
): Promise<ReadonlyMap<number, number>> => {
  const rows = await em.execute(
    `select c.id, count(*)::int as waiting
     from platform_connection c join feedback f on f.connection_id = c.id and f.account_id = c.account_id
     where c.account_id = ? and f.state = 'pending' group by c.id`,
    [accountId],
  );
  return new Map(rowsSchema.parse(rows).map(({ id, waiting }) => [id, waiting]));
};
