import type { AttemptOutcome } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import type { AccountScope } from '@leadback/people';
import { type ListedDelivery, readListedDeliveries } from './list-deliveries.ts';

export interface DeliveryAttempt {
  readonly at: Date;
  readonly outcome: AttemptOutcome;
  readonly reason: string | null;
  readonly httpStatus: number | null;
  /** The platform's response, without secrets or personal data. */
  readonly answer: string | null;
  readonly durationMs: number;
  readonly platformRequest: string | null;
}

const attemptsMax = 200;

const readAttempts = preparedStatement<DeliveryAttempt>(
  'read-attempts',
  // all of the delivery first: in the order of their ids, PostgreSQL could read those of all deliveries
  `select * from (
     select * from (
       select created_at as at, outcome, reason, http_status as "httpStatus", answer, duration_ms as "durationMs",
              platform_request as "platformRequest", id
       from feedback_attempt where feedback_id = $2 and account_id + 0 = $1 offset 0
     ) its order by id desc limit ${attemptsMax}
   ) newest order by id`,
);

/** Returns a delivery with its newest 200 attempts, oldest first; undefined if the account has no such delivery. */
export type DeliveryReader = (
  scope: AccountScope,
  id: number,
) => Promise<{ delivery: ListedDelivery; attempts: DeliveryAttempt[] } | undefined>;

export const deliveryReader =
  (pool: Pool): DeliveryReader =>
  async (scope, id) => {
    const [delivery] = await readListedDeliveries(pool, scope, [id]);
    if (!delivery) return undefined;
    const attempts = await readAttempts(pool, [scope.accountId, id]);
    return {
      delivery,
      attempts: attempts.map(({ at, outcome, reason, httpStatus, answer, durationMs, platformRequest }) => ({
        at,
        outcome,
        reason,
        httpStatus,
        answer,
        durationMs,
        platformRequest,
      })),
    };
  };
