import type { EntityManager } from '@leadback/db';

/** Writes a row and gives it back with its id. */
export const saved = async <Row extends object>(em: EntityManager, row: Row): Promise<Row> => {
  await em.persist(row).flush();
  return row;
};
