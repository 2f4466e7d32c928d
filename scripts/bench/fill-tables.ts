import { issueLeadReference, leadReferenceKeys, masterKeysSchema } from '@leadback/secrets';
import { z } from 'zod';
import { insertRows } from './account-rows.ts';
import type { BenchStack } from './bench-stack.ts';
import { fillQuickly } from './fill-quickly.ts';
import { say } from './say.ts';

// more than the requests of a measurement: none finds the pages of an earlier one in the cache of PostgreSQL
const sampleMax = 100_000;

const references = z.array(z.object({ reference: z.string() })).min(1);

/** References of random rows, spread over the whole table. */
export interface Sample {
  readonly leads: string[];
  readonly clients: string[];
}

const sampleOf = async ({ pool }: BenchStack, from: string): Promise<string[]> => {
  const { rows } = await pool.query(`select ${from} order by random() limit ${sampleMax}`);
  return references.parse(rows).map(({ reference }) => reference);
};

/** References of leads, if landing recorded all of them. */
export const sampleLeads = (stack: BenchStack): Promise<string[]> => sampleOf(stack, 'reference from lead');

/** External references of clients. */
export const sampleClients = (stack: BenchStack): Promise<string[]> =>
  sampleOf(stack, 'external_reference as reference from client');

/** Fills the tables of leads, clients and conversions with so many rows each. The leads that it returns are genuine. */
export const fillTables = async (stack: BenchStack, rows: number): Promise<Sample> => {
  say(`  inserting ${rows} leads, clients and conversions`);
  const keys = leadReferenceKeys(masterKeysSchema.parse(stack.secretsKey));
  const leads = Array.from({ length: Math.min(rows, sampleMax) }, () => issueLeadReference(keys));
  await fillQuickly(stack.pool, ['lead', 'client', 'conversion'], (on) =>
    insertRows(on, { leadsPerPage: rows, conversionsPerClient: 1, issuedReferences: leads }),
  );
  return { leads, clients: await sampleClients(stack) };
};
