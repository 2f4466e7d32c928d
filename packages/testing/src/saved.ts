import type { EntityManager } from '@leadback/db';

export const saved = async <Row extends object>(em: EntityManager, row: Row): Promise<Row> => {
  await em.persist(row).flush();
  return row;
};
