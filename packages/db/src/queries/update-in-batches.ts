import type { EntityManager } from '../database.ts';

/** Runs a statement that changes a part of the rows at a time, until it finds none; gives how many it has changed. */
export const updateInBatches = async (
  em: EntityManager,
  statement: string,
  values: readonly unknown[],
): Promise<number> => {
  let changed = 0;
  for (;;) {
    const { affectedRows } = await em.execute<{ affectedRows: number }>(statement, [...values], 'run');
    if (affectedRows === 0) return changed;
    changed += affectedRows;
  }
};
