import { type AccountMetricsRow, metricDimensions, readAccountMetrics } from '@leadback/reports';
import { currencies, feedbackStates, platformNames } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { completeDayRange, dayRangeOptions, dayRangeShape } from '../day-range.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { type MetricsRow, metricsTable } from '../metrics-table.ts';

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
    refunded: byName(currencies, (currency) => value(`refunded.${currency}`)),
    feedback: byName(platformNames, (platform) =>
      byName(feedbackStates, (state) => value(`feedback.${platform}.${state}`)),
    ),
  };
};

export const showMetrics = command({
  name: 'metrics',
  summary: 'show the funnel of an account, from lead to delivery, without test conversions',
  options: [
    ['--account <id>', 'account of the metrics'],
    ...dayRangeOptions,
    ['--by <what>', `${metricDimensions.join(', ')}, or several with commas; default: all`],
  ],
  columns: [
    'day',
    'page',
    'campaign',
    'leads',
    'clients',
    'conversions',
    ...currencies.map((currency) => `amount.${currency}` as const),
    ...currencies.map((currency) => `refunded.${currency}` as const),
    ...platformNames.flatMap((platform) => feedbackStates.map((state) => `feedback.${platform}.${state}` as const)),
  ],
  input: z.object({
    account: idSchema,
    ...dayRangeShape,
    by: z
      .string()
      .transform((list) => list.split(','))
      .pipe(z.array(z.enum(metricDimensions, `expected ${metricDimensions.join(', ')}, or several with commas`)))
      .default([...metricDimensions]),
  }),
  async run({ account: accountId, by, ...days }, { em }) {
    const range = completeDayRange(days);
    await findAccount(em, accountId);
    const rows = await readAccountMetrics(em, { accountId, ...range, by });
    return rows.map(asRow);
  },
  shown: metricsTable,
});
