import {
  type Currency,
  currencies,
  decimalOf,
  type FeedbackState,
  feedbackStates,
  type PlatformName,
  platformNames,
} from '@leadback/domain';

/** An amount as a decimal, such as `31220.00`. Amounts of different currencies are never added. */
export interface Money {
  readonly currency: Currency;
  readonly amount: string;
}

export type DeliveryCounts = Readonly<Record<FeedbackState, number>>;

export interface Measures {
  readonly leads: number;
  readonly clients: number;
  readonly conversions: number;
  /** After adjustments. */
  readonly revenue: Money[];
  readonly refunded: Money[];
  readonly deliveries: DeliveryCounts;
}

/** Sums of measures as account_metric calls them; money in hundredths. */
export type MeasureSums = ReadonlyMap<string, bigint>;

const hundredths = 100n;

/** The sums of several rows. */
export const addUp = (rows: readonly MeasureSums[]): MeasureSums => {
  const total = new Map<string, bigint>();
  for (const row of rows) for (const [measure, sum] of row) total.set(measure, (total.get(measure) ?? 0n) + sum);
  return total;
};

const countOf = (sums: MeasureSums, measure: string): number => Number((sums.get(measure) ?? 0n) / hundredths);

const moneyOf = (sums: MeasureSums, measure: string): Money[] =>
  currencies.flatMap((currency) => {
    const sum = sums.get(`${measure}.${currency}`) ?? 0n;
    return sum === 0n ? [] : [{ currency, amount: decimalOf(sum) }];
  });

const countsOf = (sums: MeasureSums, platforms: readonly PlatformName[]): DeliveryCounts => {
  const count = (state: FeedbackState) =>
    platforms.reduce((total, platform) => total + countOf(sums, `feedback.${platform}.${state}`), 0);
  return {
    pending: count('pending'),
    delivered: count('delivered'),
    failed: count('failed'),
    skipped: count('skipped'),
  };
};

export const measuresOf = (sums: MeasureSums): Measures => ({
  leads: countOf(sums, 'leads'),
  clients: countOf(sums, 'clients'),
  conversions: countOf(sums, 'conversions'),
  revenue: moneyOf(sums, 'amount'),
  refunded: moneyOf(sums, 'refunded'),
  deliveries: countsOf(sums, platformNames),
});

/** The platforms with deliveries. */
export const platformsOf = (sums: MeasureSums): { platform: PlatformName; deliveries: DeliveryCounts }[] =>
  platformNames
    .map((platform) => ({ platform, deliveries: countsOf(sums, [platform]) }))
    .filter(({ deliveries }) => feedbackStates.some((state) => deliveries[state] > 0));
