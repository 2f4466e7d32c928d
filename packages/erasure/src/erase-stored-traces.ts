import { type PoolClient, preparedStatement } from '@leadback/db';
import type { FoundPerson } from './find-person.ts';

const find = preparedStatement<{ trace_parent: string }>(
  'find-traces-to-erase',
  `select trace_parent from lead where id = any($2) and account_id + 0 = $1 and trace_parent is not null`,
);

// the records stay: without them, a repeated request would register the person again
const erase = preparedStatement(
  'erase-traces-of-stored-responses',
  `update idempotency_record set answer = answer - 'traceParent'
   where account_id = $1 and answer ->> 'traceParent' = any($2)`,
);

/**
 * Erases the traces of these visits from the responses that are stored for repeated requests. If there are any, it reads
 * all responses of the account, of one day.
 */
export const eraseStoredTraces = async (on: PoolClient, { accountId, leadIds }: FoundPerson): Promise<void> => {
  const traces = await find(on, [accountId, leadIds]);
  if (traces.length > 0) await erase(on, [accountId, traces.map(({ trace_parent: trace }) => trace)]);
};
