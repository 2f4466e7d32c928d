import { type AccountMetricsRow, metricDimensions, readAccountMetrics } from '@leadback/reports';
import { currencies, feedbackStates, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '../find-account.ts';
import { idSchema } from '../id-schema.ts';
import { type MetricsRow, metricsTable } from '../metrics-table.ts';

const daySchema = z.iso.date('expected a day like 2027-01-31');

const byName = <Value>(names: readonly string[], valueOf: (name: string) => Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)]));

const asRow = ({ day, page, campaign, values }: AccountMetricsRow): MetricsRow => {
  const value = (measure: string) => values[measure] ?? 0;
  return {
    day,
    page,
    campaign,
    leads: value('leads'),
    clients: value('clients'),
    conversions: value('conversions'),
    amount: byName(currencies, (currency) => value(`amount.${currency}`)),
    feedback: byName(platformNames, (platform) =>
      byName(feedbackStates, (state) => value(`feedback.${platform}.${state}`)),
    ),
  };
};

const daysDefault = 30;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const showMetrics = command({
  name: 'metrics',
  summary: 'show the funnel of an account, from lead to delivery, without test conversions',
  options: [
    ['--account <id>', 'account of the metrics'],
    ['--from <day>', `first day (UTC); default: ${daysDefault} days up to the last day`],
    ['--to <day>', 'last day (UTC); default: today'],
    ['--by <what>', `${metricDimensions.join(', ')}, or several with commas; default: all`],
  ],
  input: z
    .object({
      account: idSchema,
      from: daySchema.optional(),
      to: daySchema.default(() => dayOf(Date.now())),
      by: z
        .string()
        .transform((list) => list.split(','))
        .pipe(z.array(z.enum(metricDimensions, `expected ${metricDimensions.join(', ')}, or several with commas`)))
        .default([...metricDimensions]),
    })
    .transform(({ from, ...rest }) => ({
      ...rest,
      from: from ?? dayOf(Date.parse(rest.to) - (daysDefault - 1) * 86_400_000),
    }))
    .refine(({ from, to }) => from <= to, { path: ['from'], message: 'is after --to' }),
  async run({ account: accountId, from, to, by }, { em }) {
    await findAccount(em, accountId);
    const rows = await readAccountMetrics(em, { accountId, from, to, by });
    return rows.map(asRow);
  },
  shown: metricsTable,
});
