import { applyRetention as apply } from '@leadback/db';
import { z } from 'zod';
import { command } from '../command.ts';
import { OperatorError } from '../operator-error.ts';

const daysOf = (daysMin: number, reason: string) =>
  z
    .string()
    .regex(/^\d{1,5}d$/, 'expected days, such as 400d')
    .transform((age) => Number(age.slice(0, -1)))
    .refine((days) => days >= daysMin, `at least ${daysMin}d: ${reason}`)
    .optional();

export const applyRetention = command({
  name: 'retention apply',
  summary: 'forget what is old, and make the partitions of coming months; every night, as the owner of the tables',
  options: [
    [
      '--leads <age>',
      'such as 400d: older leads and closed feedback go; of leads that became clients only the visitor',
    ],
    ['--attempts <age>', 'such as 90d: the months of attempts that are wholly older go, so up to a month more is kept'],
    ['--dry-run', 'only count'],
  ],
  input: z.object({
    leads: daysOf(90, 'platforms take conversions of clicks up to 90 days old'),
    attempts: daysOf(
      7,
      'what failed is sent again for three days, and platforms are asked for three more what became of it',
    ),
    dryRun: z.boolean().default(false),
  }),
  async run({ leads, attempts, dryRun }, { pool, progress }) {
    if (leads === undefined && attempts === undefined) {
      throw new OperatorError('say how long to keep what: --leads 400d, --attempts 90d, or both');
    }
    const applied = await apply(pool, {
      leadsDays: leads,
      attemptsDays: attempts,
      isDryRun: dryRun,
      tell: (table, counts) => progress(`${table}: ${JSON.stringify(counts)}`),
    });
    if (applied.kind === 'running-elsewhere') {
      throw new OperatorError('another `retention apply` is at work on this database');
    }
    if (applied.kind === 'not-the-owner') {
      throw new OperatorError(
        `partitions are made and dropped by the owner of the tables: run it with a DATABASE_URL of ${applied.owner} (this one is of ${applied.user})`,
      );
    }
    const { partitions, rows } = applied;
    return { dryRun, partitionsMade: partitions.made, partitionsDropped: partitions.dropped, ...rows };
  },
});
