import type { EntityManager } from '@leadback/db';

/** Repeats a statement that changes a limited number of rows until it changes none. Returns the total. */
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
