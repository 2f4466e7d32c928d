const lastAdjustment = (column: string) => `(
  select a.${column} from conversion_adjustment a
  where a.conversion_id = v.id and a.account_id + 0 = v.account_id order by a.id desc limit 1)`;

/** SQL: what a conversion `v` is worth now. */
export const amountNow = `coalesce(${lastAdjustment('amount')}, v.amount)`;

/** SQL: whether a conversion `v` was cancelled. */
export const isRetracted = `coalesce(${lastAdjustment('kind')} = 'retract', false)`;
