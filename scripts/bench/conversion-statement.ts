import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { root } from '../start/data-folder.ts';

type Recorder = { readonly query: (statement: { readonly text: string }) => Promise<{ readonly rows: unknown[] }> };
type Insert = (on: Recorder, conversions: readonly object[]) => Promise<unknown>;

const moduleSchema = z.object({
  insertConversions: z.custom<Insert>((value) => typeof value === 'function'),
});

/** The text of the statement with which the api registers conversions; `$1` are the conversions. */
export const conversionStatement = async (): Promise<string> => {
  const source = join(root, 'packages/intake/src/insert-conversions.ts');
  const module: unknown = await import(pathToFileURL(source).href);
  let recorded = '';
  const recorder: Recorder = {
    query: async ({ text }) => {
      recorded = text;
      return { rows: [] };
    },
  };
  await moduleSchema.parse(module).insertConversions(recorder, []);
  return recorded;
};
