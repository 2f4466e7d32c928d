import type { AccountId } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';

/** What partners register; each has a table and ids of its own. */
type RegisteredKind = 'client' | 'conversion' | 'adjustment';

/** What a partner got an id of. */
export interface Accepted {
  readonly kind: RegisteredKind;
  readonly accountId: AccountId;
  readonly id: number;
  readonly atMs: number;
}

const missingFrom = (table: string) =>
  preparedStatement<{ id: number }>(
    `find-missing-in-${table}`,
    `select id from unnest($1::bigint[]) given (id) where not exists (select from ${table} where id = given.id)`,
  );

const statements: Readonly<Record<RegisteredKind, ReturnType<typeof missingFrom>>> = {
  client: missingFrom('client'),
  conversion: missingFrom('conversion'),
  adjustment: missingFrom('conversion_adjustment'),
};

// within the timeout of a statement
const idsPerStatement = 5_000;

/** Those that are not in the database. */
export const findMissing = async (pool: Pool, accepted: readonly Accepted[]): Promise<Accepted[]> => {
  const missing: Accepted[] = [];
  for (const [kind, ofKind] of Map.groupBy(accepted, (one) => one.kind)) {
    for (let start = 0; start < ofKind.length; start += idsPerStatement) {
      const some = ofKind.slice(start, start + idsPerStatement);
      const ids = new Set((await statements[kind](pool, [some.map(({ id }) => id)])).map(({ id }) => id));
      missing.push(...some.filter(({ id }) => ids.has(id)));
    }
  }
  return missing;
};
