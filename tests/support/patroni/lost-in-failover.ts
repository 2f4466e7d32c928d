import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { secretsKey, type TestDatabase } from '@leadback/testing';
import { z } from 'zod';
import type { Entry } from '../ledger.ts';

const main = join(import.meta.dirname, '../../../apps/operator/src/main.ts');
const run = promisify(execFile);
const findingsSchema = z.array(z.object({ check: z.string(), state: z.string(), finding: z.string() }));

/** What `doctor` says about failovers. */
export const failoversIn = async ({ url }: TestDatabase): Promise<z.infer<typeof findingsSchema>> => {
  const env = { ...process.env, DATABASE_URL: url, SECRETS_KEY: secretsKey.toString('base64') };
  // status 1, because there are errors
  const { stdout } = await run(process.execPath, [main, 'doctor', '--json'], { env }).catch((error: unknown) =>
    z.object({ stdout: z.string() }).parse(error),
  );
  return findingsSchema.parse(JSON.parse(stdout)).filter(({ check }) => check === 'failovers');
};

/** The ids of conversions in a finding such as `… : conversions 401-403, 540`. */
export const conversionsIn = (finding: string): number[] =>
  Array.from(/conversions (?<ranges>\d[\d, -]*)/.exec(finding)?.groups?.['ranges']?.split(', ') ?? []).flatMap(
    (range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    },
  );

/** The entries that the database does not have. */
export const notStored = async ({ pool }: TestDatabase, entries: readonly Entry[]): Promise<Entry[]> => {
  const { rows } = await pool.query<{ reference: string }>('select external_reference as reference from conversion');
  const stored = new Set(rows.map(({ reference }) => reference));
  return entries.filter(({ reference }) => !stored.has(reference));
};
