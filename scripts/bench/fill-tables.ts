import { z } from 'zod';
import { insertRows } from './account-rows.ts';
import type { BenchStack } from './bench-stack.ts';
import { say } from './say.ts';

const listMax = 1_000;

const references = z.array(z.object({ reference: z.string() })).min(1);

/** Fills the tables of leads, clients and conversions with so many rows each. */
export const fillTables = async ({ pool }: BenchStack, rows: number): Promise<void> => {
  say(`  inserting ${rows} leads, clients and conversions`);
  const connection = await pool.connect();
  try {
    // no triggers and no foreign keys, which would take longer than the rows
    await connection.query('set session_replication_role = replica');
    await insertRows(connection, { leadsPerPage: rows, conversionsPerClient: 1 });
    await connection.query('vacuum analyze');
    await connection.query('checkpoint');
  } finally {
    connection.release(true);
  }
};

/** References of leads that landing has recorded: the api accepts no others. */
export const genuineLeads = async ({ pool }: BenchStack): Promise<string[]> => {
  const { rows } = await pool.query(
    `select reference from lead where reference not like 'bench-%' order by id desc limit ${listMax}`,
  );
  return references.parse(rows).map(({ reference }) => reference);
};

/** External references spread over all clients of `fillTables`. */
export const someClients = (rows: number): string[] =>
  Array.from({ length: Math.min(rows, listMax) }, (_, index) => `C${1 + Math.floor((index * rows) / listMax)}`);
