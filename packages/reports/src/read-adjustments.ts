import type { AccountMode, AdjustmentKind } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import {
  deliveriesWhere,
  deliveryColumns,
  deliveryOf,
  type FeedbackColumns,
  type FeedbackRecord,
} from './delivery-rows.ts';

export interface AdjustmentRecord {
  readonly id: number;
  readonly kind: AdjustmentKind;
  /** The new total: an exact decimal with two places. */
  readonly amount: string;
  readonly occurredAt: Date;
  readonly externalReference: string | null;
  readonly createdAt: Date;
  readonly feedback: readonly FeedbackRecord[];
}

type Row = Omit<AdjustmentRecord, 'feedback'> & FeedbackColumns & { readonly conversionId: number };

const read = preparedStatement<Row>(
  'read-adjustments',
  `select a.id, a.conversion_id as "conversionId", a.kind, a.amount, a.occurred_at as "occurredAt",
          coalesce(a.external_reference, a.test_reference) as "externalReference", a.created_at as "createdAt",
          ${deliveryColumns}
   from unnest($3::bigint[]) conversion (id)
   cross join lateral (
     select * from conversion_adjustment
     where conversion_id = conversion.id and account_id + 0 = $1 and is_test = $2 offset 0) a
   ${deliveriesWhere('f.adjustment_id = a.id and f.account_id + 0 = a.account_id')}
   order by a.id, connection.id`,
);

const adjustmentOf = (rows: readonly [Row, ...Row[]]): AdjustmentRecord => {
  const [{ id, kind, amount, occurredAt, externalReference, createdAt }] = rows;
  return { id, kind, amount, occurredAt, externalReference, createdAt, feedback: rows.flatMap(deliveryOf) };
};

/** Returns the adjustments of conversions with their deliveries, oldest first, by the id of the conversion. */
export const readAdjustments = async (
  pool: Pool,
  { accountId, isTest }: AccountMode,
  conversionIds: readonly number[],
): Promise<ReadonlyMap<number, readonly AdjustmentRecord[]>> => {
  const rows = await read(pool, [accountId, isTest, conversionIds]);
  return new Map(
    [...Map.groupBy(rows, ({ conversionId }) => conversionId)].map(([conversionId, its]) => [
      conversionId,
      [...Map.groupBy(its, ({ id }) => id).values()].flatMap(([first, ...others]) =>
        first === undefined ? [] : [adjustmentOf([first, ...others])],
      ),
    ]),
  );
};
