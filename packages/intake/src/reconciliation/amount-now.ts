/** SQL: what a conversion `v` is worth now: as its last adjustment says. */
export const amountNow = `coalesce(
  (select a.amount from conversion_adjustment a where a.conversion_id = v.id order by a.id desc limit 1), v.amount)`;
