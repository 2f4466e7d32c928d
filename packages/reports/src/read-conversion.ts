import type { AccountMode, Currency } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import {
  deliveriesWhere,
  deliveryColumns,
  deliveryOf,
  type FeedbackColumns,
  type FeedbackRecord,
} from './delivery-rows.ts';
import { type AdjustmentRecord, readAdjustments } from './read-adjustments.ts';

export interface ConversionRecord {
  readonly id: number;
  readonly clientId: number;
  readonly leadId: number;
  /** The total now, after all adjustments: an exact decimal with two places, as every amount. */
  readonly amount: string;
  readonly originalAmount: string;
  readonly currency: Currency;
  readonly externalReference: string | null;
  readonly isTest: boolean;
  readonly eventId: string;
  /** The partner's own name for the event. */
  readonly eventName: string | null;
  readonly occurredAt: Date;
  readonly createdAt: Date;
  readonly feedback: readonly FeedbackRecord[];
  /** Oldest first. */
  readonly adjustments: readonly AdjustmentRecord[];
}

type ConversionName = { readonly id: number } | { readonly externalReference: string };

/** One per delivery; a conversion without deliveries has one row. */
export type ConversionRow = Omit<ConversionRecord, 'amount' | 'feedback' | 'adjustments'> & FeedbackColumns;

// `account_id + 0` is not looked up in the index of accounts, however few rows PostgreSQL expects there
/** SQL that selects a `ConversionRow` per delivery. `conversions`: what gives the conversions, as v. */
export const conversionRowsFrom = (conversions: string): string => `
  select v.id, v.client_id as "clientId", c.lead_id as "leadId", v.amount as "originalAmount", v.currency,
         coalesce(v.external_reference, v.test_reference) as "externalReference", v.is_test as "isTest",
         coalesce(v.event_id, v.id::text) as "eventId", v.event_name as "eventName",
         coalesce(v.occurred_at, v.created_at) as "occurredAt",
         v.created_at as "createdAt",
         ${deliveryColumns}
  from ${conversions}
  cross join lateral (select lead_id from client where id = v.client_id and account_id + 0 = v.account_id limit 1) c
  ${deliveriesWhere('f.conversion_id = v.id and f.account_id + 0 = v.account_id')}`;

const rowsWhere = (condition: string) =>
  `${conversionRowsFrom('conversion v')} where ${condition} order by connection.id`;

const byId = preparedStatement<ConversionRow>(
  'read-conversion',
  rowsWhere('v.id = $2 and v.account_id + 0 = $1 and v.is_test = $3'),
);

// in the order of the unique index: another one begins with the account, too
const rowsByReference = (column: string) =>
  `${conversionRowsFrom(
    `(select * from conversion where account_id = $1 and ${column} between $2 and $2 order by ${column} limit 1) v`,
  )} order by connection.id`;

const byReference = preparedStatement<ConversionRow>(
  'read-conversion-by-reference',
  rowsByReference('external_reference'),
);

const byTestReference = preparedStatement<ConversionRow>(
  'read-conversion-by-test-reference',
  rowsByReference('test_reference'),
);

const conversionOf = (
  rows: readonly [ConversionRow, ...ConversionRow[]],
  adjustments: readonly AdjustmentRecord[],
): ConversionRecord => {
  const [first] = rows;
  const { id, clientId, leadId, externalReference, eventId, eventName } = first;
  const { currency, isTest, occurredAt, createdAt, originalAmount } = first;
  const ids = { id, clientId, leadId, externalReference, eventId, eventName };
  const amount = adjustments.at(-1)?.amount ?? originalAmount;
  const sale = { amount, originalAmount, currency, isTest, occurredAt, createdAt };
  return { ...ids, ...sale, feedback: rows.flatMap(deliveryOf), adjustments };
};

/** Returns the conversions of rows, in their order, with their adjustments. */
export const conversionsOf = async (
  pool: Pool,
  mode: AccountMode,
  rows: readonly ConversionRow[],
): Promise<ConversionRecord[]> => {
  const rowsById = Map.groupBy(rows, ({ id }) => id);
  if (rowsById.size === 0) return [];
  const adjustments = await readAdjustments(pool, mode, [...rowsById.keys()]);
  return [...rowsById].flatMap(([id, [first, ...others]]) =>
    first === undefined ? [] : conversionOf([first, ...others], adjustments.get(id) ?? []),
  );
};

const read = (pool: Pool, { accountId, isTest }: AccountMode, name: ConversionName): Promise<ConversionRow[]> => {
  if ('id' in name) return byId(pool, [accountId, name.id, isTest]);
  return (isTest ? byTestReference : byReference)(pool, [accountId, name.externalReference]);
};

/** Returns a conversion with its deliveries and adjustments; undefined if the account has no such conversion in this mode. */
export type ConversionReader = (mode: AccountMode, name: ConversionName) => Promise<ConversionRecord | undefined>;

export const conversionReader =
  (pool: Pool): ConversionReader =>
  async (mode, name) => {
    const [conversion] = await conversionsOf(pool, mode, await read(pool, mode, name));
    return conversion;
  };
