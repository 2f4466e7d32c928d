import { Pool } from 'pg';
import type { BenchStack } from '../bench-stack.ts';
import type { Figures } from '../figures.ts';
import { warmUp } from '../given-account.ts';
import type { Asked } from '../load/load.ts';
import { underLoad } from '../measure-load.ts';
import type { Bench } from '../part.ts';
import { startBaseline } from './baseline.ts';
import { baselineDatabase } from './baseline-database.ts';

/** The same leads and clients as in the measured database, which are few. */
const copyRows = async (from: Pool, to: Pool): Promise<void> => {
  const leads = await from.query('select reference from lead order by id');
  const clients = await from.query('select external_reference from client order by id');
  const insert = (into: string, rows: unknown) =>
    to.query(`insert into ${into} from jsonb_to_recordset($1) as r (reference text, external_reference text)`, [
      JSON.stringify(rows),
    ]);
  await insert('lead (reference) select reference', leads.rows);
  await insert('client (lead_id, external_reference) select 1, external_reference', clients.rows);
};

/**
 * Starts a baseline with its own database on the server of the measured apps, with the same leads and clients, and warms
 * it up as these. Returns its measurement under the load.
 */
export const givenBaseline = async (
  bench: Bench,
  stack: BenchStack,
  name: 'redirect' | 'registration',
  askedAt: (url: string) => Asked,
): Promise<() => Promise<Figures>> => {
  const url = await baselineDatabase(stack);
  const own = new Pool({ connectionString: url, max: 1 });
  await copyRows(stack.pool, own);
  const server = stack.use(await startBaseline(name, { DATABASE_URL: url }));
  const asked = askedAt(server.url);
  await warmUp(bench, { pool: own }, asked);
  await own.end();
  return underLoad(bench, asked, { 'node:http + pg': server.pid, PostgreSQL: stack.servers.PostgreSQL });
};
