import { preparedStatement, type Queryable } from './prepared-statement.ts';

// any number that begins the locks of nothing else
const lockOf = (account: string) => `hashtextextended('erasure in account ' || ${account}, 34)`;

const share = preparedStatement(
  'record-beside-erasures',
  `select pg_advisory_xact_lock_shared(${lockOf('id')}) from unnest($1::bigint[]) account (id) order by id`,
);

const take = preparedStatement('erase-alone', `select pg_advisory_xact_lock(${lockOf('$1::bigint')})`);

/**
 * Waits for erasures in these accounts that are about to end, and lets none go on until the end of this transaction:
 * statements that follow see what was erased, and erasures see what they record.
 */
export const recordBesideErasures = async (on: Queryable, accountIds: readonly number[]): Promise<void> => {
  await share(on, [[...new Set(accountIds)]]);
};

/** The other side: nothing that an erasure may concern is recorded until the end of this transaction. */
export const eraseAlone = async (on: Queryable, accountId: number): Promise<void> => {
  await take(on, [accountId]);
};
