import { type PoolClient, preparedStatement } from '@leadback/db';
import { askErasure, type ErasureToAsk } from './ask/ask-erasure.ts';
import type { ErasedPerson } from './ask/subject.ts';
import { type ErasureTools, type PendingErasure, performErasure, pendingColumns } from './perform-erasure.ts';

const read = preparedStatement<PendingErasure>(
  'read-erasure-to-perform',
  `select ${pendingColumns}
   from erasure where id = $1 for update`,
);

/**
 * Asks for an erasure and erases the person in the same transaction. After its commit, `completeErasure` makes the
 * receipt; if it does not, an api makes it a minute later. Returns its id and what was erased.
 */
export const performAtOnce = async (
  on: PoolClient,
  toAsk: ErasureToAsk,
  tools: ErasureTools,
): Promise<{ readonly id: string; readonly erased: ErasedPerson }> => {
  const id = await askErasure(on, tools.keys, toAsk);
  const [asked] = await read(on, [id]);
  if (!asked) throw new Error('the erasure was not stored');
  const erased = await performErasure(on, asked, tools);
  if (erased === 'asked') throw new Error('a visitor asked');
  return { id, erased };
};
