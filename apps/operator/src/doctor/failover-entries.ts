import { type Pool, preparedStatement } from '@leadback/db';
import { z } from 'zod';

/** How long `doctor` shows a failover. */
export const shownDays = 7;

const find = preparedStatement(
  'find-failovers',
  `select at, action, account_id as "accountId", details from audit_entry
   where at > now() - $1 * interval '1 day' and actor = 'leadback'
     and action in ('database.promoted', 'registration.lose', 'registration.compare')
   order by at, id limit 1000`,
);

const entriesSchema = z.array(
  z.discriminatedUnion('action', [
    z.object({ at: z.date(), action: z.literal('database.promoted'), details: z.object({ after: z.string() }) }),
    z.object({
      at: z.date(),
      action: z.literal('registration.compare'),
      details: z.object({ server: z.string(), compared: z.number(), lost: z.number() }),
    }),
    z.object({
      at: z.date(),
      action: z.literal('registration.lose'),
      accountId: z.number(),
      details: z.object({
        server: z.string(),
        clients: z.string(),
        conversions: z.string(),
        adjustments: z.string(),
        count: z.number(),
        from: z.string(),
        to: z.string(),
      }),
    }),
  ]),
);

export type FailoverEntry = z.infer<typeof entriesSchema>[number];

/** What the audit log has of failovers, oldest first. */
export const findFailoverEntries = async (pool: Pool): Promise<FailoverEntry[]> =>
  entriesSchema.parse(await find(pool, [shownDays]));
