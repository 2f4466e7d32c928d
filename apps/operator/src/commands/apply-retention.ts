import { z } from 'zod';
import { command } from '../command.ts';
import { OperatorError } from '../operator-error.ts';
import { applyRetention as apply } from '../upkeep/apply-retention.ts';

const daysOf = (daysMin: number, reason: string) =>
  z
    .string()
    .regex(/^\d{1,5}d$/, 'expected days, such as 400d')
    .transform((age) => Number(age.slice(0, -1)))
    .refine((days) => days >= daysMin, `at least ${daysMin}d: ${reason}`)
    .optional();

export const applyRetention = command({
  name: 'retention apply',
  summary:
    'delete old personal data and create the partitions of coming months; run it every night as the owner of the tables',
  options: [
    [
      '--leads <age>',
      'such as 400d: delete older leads and closed deliveries; leads that became clients only lose the data of the visitor',
    ],
    [
      '--attempts <age>',
      'such as 90d: drop months of attempts that are entirely older, so up to one more month is kept',
    ],
    [
      '--imports <age>',
      'such as 30d: delete older imported files and reconciled lists with their results; what they registered stays',
    ],
    ['--webhooks <age>', 'such as 30d: delete older events of webhooks with their deliveries; those that wait stay'],
    [
      '--campaigns <age>',
      'such as 800d: metrics of older days no longer name campaigns; their totals stay, as (other)',
    ],
    ['--dry-run', 'only count'],
  ],
  input: z.object({
    leads: daysOf(90, 'platforms accept conversions of clicks up to 90 days old'),
    attempts: daysOf(7, 'deliveries are retried for three days, and the request status is checked for three more'),
    imports: daysOf(7, 'a repeated upload of a file is recognised by its first import'),
    webhooks: daysOf(7, 'webhooks are retried for three days, and partners look into what failed'),
    campaigns: daysOf(400, 'conversions may be 400 days old when they are registered'),
    dryRun: z.boolean().default(false),
  }),
  async run({ leads, attempts, imports, webhooks, campaigns, dryRun }, { pool, progress }) {
    if ([leads, attempts, imports, webhooks, campaigns].every((days) => days === undefined)) {
      throw new OperatorError(
        'nothing to apply: give --leads 400d, --attempts 90d, --imports 30d, --webhooks 30d, --campaigns 800d, or several of them',
      );
    }
    const applied = await apply(pool, {
      leadsDays: leads,
      attemptsDays: attempts,
      importsDays: imports,
      webhooksDays: webhooks,
      campaignsDays: campaigns,
      isDryRun: dryRun,
      tell: (table, counts) => progress(`${table}: ${JSON.stringify(counts)}`),
    });
    if (applied.kind === 'running-elsewhere') {
      throw new OperatorError('another `retention apply` is running on this database; wait until it ends');
    }
    if (applied.kind === 'not-the-owner') {
      throw new OperatorError(
        `cannot create or drop partitions as ${applied.user}: set DATABASE_URL to ${applied.owner}, the owner of the tables`,
      );
    }
    const { partitions, rows } = applied;
    return { dryRun, partitionsMade: partitions.made, partitionsDropped: partitions.dropped, ...rows };
  },
});
