import { type CustomTypesConfig, type Pool, type PoolClient, type QueryResultRow, types } from 'pg';

/** A pool, or the connection of a transaction. */
export type Queryable = Pool | PoolClient;

// ids and counts stay below 2^53
const numbers: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
};

/**
 * A statement that each connection parses and plans once: the fastest way to run one, for what is run all the time. Its
 * plan is kept whatever its values are. `int8` is returned as a number, `timestamptz` as a Date, `numeric` as a string.
 */
export const preparedStatement =
  <Row extends QueryResultRow>(name: string, text: string) =>
  async (on: Queryable, values: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await on.query<Row>({ name, text, values: [...values], types: numbers });
    return rows;
  };

/**
 * A statement that PostgreSQL plans each time for the values that it has and the tables as they are: for what is run
 * seldom, or has conditions that may be left out. The rows are those of a `preparedStatement`.
 */
export const statement =
  <Row extends QueryResultRow>(text: string) =>
  async (on: Queryable, values: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await on.query<Row>({ text, values: [...values], types: numbers });
    return rows;
  };
