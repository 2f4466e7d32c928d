import {
  type Currency,
  currencies,
  dayAfter,
  daySchema,
  decimalsOf,
  deliveryStates,
  isCurrency,
  platformNames,
  standardCurrencies,
} from '@leadback/domain';
import { z } from 'zod';
import { type AccountMetricsRow, metricDimensions, readAccountMetrics } from '@leadback/core/metrics/metrics';
import { type PlatformQuality, readQuality } from '@leadback/core/quality/quality';
import { findAccount } from '@leadback/core/accounts/accounts';
import { readToday } from '@leadback/core/accounts/days';
import type { Queryable } from '@leadback/db';
import { type Row, command } from '../command.ts';
import { idSchema } from '../options.ts';

const daysDefault = 30;

const dayRangeOptions = [
  ['--from <day>', `first day, in the account's time zone; default: ${daysDefault} days up to the last day`],
  ['--to <day>', "last day, in the account's time zone; default: today"],
] as const;

/** The options `--from` and `--to`, to be completed by `completeDayRange`. */
const dayRangeShape = { from: daySchema.optional(), to: daySchema.optional() };

const rangeSchema = z
  .object({ from: z.string(), to: z.string() })
  .refine(({ from, to }) => from <= to, { path: ['from'], message: 'is after --to' });

interface AskedDays {
  readonly account: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** With the time zone in which the days begin. Throws a ZodError if `from` is after `to`. */
const completeDayRange = async (on: Queryable, { account, from, to }: AskedDays) => {
  const { today, timeZone } = await readToday(on, account);
  const last = to ?? today;
  return { ...rangeSchema.parse({ from: from ?? dayAfter(last, 1 - daysDefault), to: last }), timeZone };
};

/** A type, because an interface is not assignable to `Row`. */
type MetricsRow = {
  readonly day: string | null;
  readonly page: string | null;
  readonly platform: string | null;
  readonly source: string | null;
  readonly medium: string | null;
  readonly campaign: string | null;
  readonly term: string | null;
  readonly content: string | null;
  readonly leads: number;
  readonly clients: number;
  readonly conversions: number;
  /** After all adjustments. */
  readonly amount: Readonly<Record<string, number>>;
  /** How far totals are below the original ones. */
  readonly refunded: Readonly<Record<string, number>>;
  readonly deliveries: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** In which the days begin. */
  readonly timeZone: string;
};

const barWidth = 8;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar in proportion to the greatest value; a value above 0 always shows. */
const bar = (value: number, greatest: number): string => {
  const length = Math.max(Math.round((value / Math.max(greatest, 1)) * barWidth * 8), value > 0 ? 1 : 0);
  return `${'█'.repeat(Math.floor(length / 8))}${eighths[length % 8] ?? ''}`.padEnd(barWidth);
};

const figure = (value: number) => value.toLocaleString('en-US');
const money = (value: number, currency: string) => {
  const places = isCurrency(currency) ? decimalsOf(currency) : 0;
  return value.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
};

const funnel = ['leads', 'clients', 'conversions'] as const;

const sum = (rows: readonly MetricsRow[], valueOf: (row: MetricsRow) => number) =>
  rows.reduce((total, row) => total + valueOf(row), 0);

/** The names that have a value in at least one row. */
const used = (
  names: readonly string[],
  rows: readonly MetricsRow[],
  valueOf: (row: MetricsRow, name: string) => number,
) => names.filter((name) => rows.some((row) => valueOf(row, name) !== 0));

const amountIn = ({ amount }: MetricsRow, currency: string) => amount[currency] ?? 0;
const refundedIn = ({ refunded }: MetricsRow, currency: string) => refunded[currency] ?? 0;
const deliveriesOf = ({ deliveries }: MetricsRow, platform: string) =>
  Object.values(deliveries[platform] ?? {}).reduce((total, count) => total + count, 0);

/** `12 delivered, 1 failed` */
const formatCounts = (states: ReadonlyMap<string, number>) =>
  [...states].map(([state, count]) => `${figure(count)} ${state}`).join(', ');

const statesOf = (rows: readonly MetricsRow[], platform: string): ReadonlyMap<string, number> => {
  const states = Object.keys(rows[0]?.deliveries[platform] ?? {});
  return new Map(
    states
      .map((state) => [state, sum(rows, ({ deliveries }) => deliveries[platform]?.[state] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
};

/**
 * The funnel with bars, columns that have values, and a total if there are several rows. All `rows` must have the same
 * dimensions.
 */
const metricsTable = (rows: readonly MetricsRow[]): readonly Row[] => {
  const [first] = rows;
  if (first === undefined) return [];
  const dimensions = metricDimensions.filter((name) => rows.some((row) => row[name] !== null));
  const shownCurrencies = used(Object.keys(first.amount), rows, amountIn);
  const refunded = used(Object.keys(first.refunded), rows, refundedIn);
  const platforms = used(Object.keys(first.deliveries), rows, deliveriesOf);
  const greatest = Math.max(...rows.flatMap((row) => funnel.map((name) => row[name])));

  const line = (names: Row, of: readonly MetricsRow[], isTotal = false): Row => ({
    ...names,
    ...Object.fromEntries(
      funnel.map((name) => {
        const value = sum(of, (row) => row[name]);
        return [name, isTotal ? figure(value) : `${bar(value, greatest)} ${figure(value)}`];
      }),
    ),
    ...Object.fromEntries(
      shownCurrencies.map((name) => [
        name,
        money(
          sum(of, (row) => amountIn(row, name)),
          name,
        ),
      ]),
    ),
    ...Object.fromEntries(
      refunded.map((name) => [
        `refunded ${name}`,
        money(
          sum(of, (row) => refundedIn(row, name)),
          name,
        ),
      ]),
    ),
    ...Object.fromEntries(platforms.map((name) => [name, formatCounts(statesOf(of, name))])),
  });
  const titleOf = (name: (typeof dimensions)[number]) => (name === 'day' ? `day (${first.timeZone})` : name);
  const [named] = dimensions;
  return [
    ...rows.map((row) => line(Object.fromEntries(dimensions.map((name) => [titleOf(name), row[name]])), [row])),
    ...(rows.length > 1 && named !== undefined
      ? [
          line(
            { ...Object.fromEntries(dimensions.map((name) => [titleOf(name), ''])), [titleOf(named)]: 'total' },
            rows,
            true,
          ),
        ]
      : []),
  ];
};

const byName = <Value>(names: readonly string[], valueOf: (name: string) => Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)]));

/** Those that the account takes, in its order, and those of earlier sales. */
const currenciesIn = (rows: readonly AccountMetricsRow[], taken: readonly Currency[]): readonly Currency[] => {
  const measures = new Set(rows.flatMap(({ values }) => Object.keys(values)));
  const isSold = (currency: Currency) => measures.has(`amount.${currency}`) || measures.has(`refunded.${currency}`);
  return [...new Set([...taken, ...currencies.filter(isSold)])];
};

const asRow = (
  { values, ...dimensions }: AccountMetricsRow,
  shownCurrencies: readonly Currency[],
): Omit<MetricsRow, 'timeZone'> => {
  const value = (measure: string) => values[measure] ?? 0;
  return {
    ...dimensions,
    leads: value('leads'),
    clients: value('clients'),
    conversions: value('conversions'),
    amount: byName(shownCurrencies, (currency) => value(`amount.${currency}`)),
    refunded: byName(shownCurrencies, (currency) => value(`refunded.${currency}`)),
    deliveries: byName(platformNames, (platform) =>
      byName(deliveryStates, (state) => value(`deliveries.${platform}.${state}`)),
    ),
  };
};

const standardDimensions = ['day', 'page', 'campaign'] as const;

export const showMetrics = command({
  name: 'metrics',
  summary: 'show the funnel of an account, from lead to delivery, without test conversions',
  options: [
    ['--account <id>', 'account of the metrics'],
    ...dayRangeOptions,
    ['--by <what>', `${metricDimensions.join(', ')}, or several with commas; default: ${standardDimensions.join(',')}`],
  ],
  columns: [
    ...metricDimensions,
    'leads',
    'clients',
    'conversions',
    ...standardCurrencies.map((currency) => `amount.${currency}` as const),
    ...standardCurrencies.map((currency) => `refunded.${currency}` as const),
    ...platformNames.flatMap((platform) => deliveryStates.map((state) => `deliveries.${platform}.${state}` as const)),
    'timeZone',
  ],
  input: z.object({
    account: idSchema,
    ...dayRangeShape,
    by: z
      .string()
      .transform((list) => list.split(','))
      .pipe(z.array(z.enum(metricDimensions, `expected ${metricDimensions.join(', ')}, or several with commas`)))
      .default([...standardDimensions]),
  }),
  async run({ account: accountId, by, ...days }, { em }) {
    const account = await findAccount(em, accountId);
    const { timeZone, ...range } = await completeDayRange(em, { account: accountId, ...days });
    const rows = await readAccountMetrics(em, { accountId, ...range, by });
    const shownCurrencies = currenciesIn(rows, account.currencies);
    return rows.map((row) => ({ ...asRow(row, shownCurrencies), timeZone }));
  },
  shown: metricsTable,
});

/** A type, because an interface is not assignable to `Row`. */
type QualityRow = { readonly [Name in keyof PlatformQuality]: PlatformQuality[Name] } & { readonly timeZone: string };

const percent = (share: number) => `${(share * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;

/** `12 no_match_keys, 1 consent` */
const formatQualityCounts = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([reason, count]) => `${count.toLocaleString('en-US')} ${reason}`)
    .join(', ');

/** One row per platform; its advice follows in rows of their own. */
const qualityTable = (platforms: readonly QualityRow[]): readonly Row[] =>
  platforms.flatMap(({ platform, conversions, delivered, skipped, failed, keys, advice }) => {
    const [first, ...others] = advice.map(({ action, affects }) => `${percent(affects)}: ${action}`);
    const shares = Object.entries(keys).map(([key, share]) => `${key} ${percent(share)}`);
    const blank = { platform: '', conversions: '', delivered: '', skipped: '', failed: '', keys: '' };
    return [
      {
        platform,
        conversions: conversions.toLocaleString('en-US'),
        delivered: delivered.toLocaleString('en-US'),
        skipped: formatQualityCounts(skipped),
        failed: formatQualityCounts(failed),
        keys: shares.join(', '),
        advice: first ?? '',
      },
      ...others.map((words) => ({ ...blank, advice: words })),
    ];
  });

export const showQuality = command({
  name: 'quality',
  summary:
    'show by which keys platforms could match the conversions of an account, and what would help most; without test conversions',
  options: [['--account <id>', 'account of the conversions'], ...dayRangeOptions],
  columns: ['platform', 'conversions', 'delivered', 'skipped', 'failed', 'keys', 'advice', 'timeZone'],
  input: z.object({ account: idSchema, ...dayRangeShape }),
  async run({ account: accountId, ...days }, { em, pool }): Promise<readonly QualityRow[]> {
    await findAccount(em, accountId);
    const { timeZone, ...range } = await completeDayRange(em, { account: accountId, ...days });
    const platforms = await readQuality(pool, { accountId, isTest: false }, range);
    return platforms.map((platform) => ({ ...platform, timeZone }));
  },
  shown: qualityTable,
});
