import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const listFile = join(import.meta.dirname, 'known-advisories.json');

const advisorySchema = z.strictObject({
  id: z.string().startsWith('GHSA-'),
  package: z.string(),
  /** As npm writes it. */
  vulnerable: z.string(),
});
const listSchema = z.array(advisorySchema);

export type Advisory = Readonly<z.infer<typeof advisorySchema>>;

const nameOf = ({ package: name, id, vulnerable }: Advisory) => `${name} ${id} ${vulnerable}`;

export const readAdvisories = (file = listFile): readonly Advisory[] =>
  listSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Adds advisories to the list. Returns how many are new. */
export const addAdvisories = (found: readonly Advisory[], file = listFile): number => {
  const known = readAdvisories(file);
  const all = new Map([...known, ...found].map((advisory) => [nameOf(advisory), advisory]));
  const sorted = [...all].toSorted(([one], [other]) => (one < other ? -1 : 1));
  // one line each, as the formatter writes it
  const lines = sorted.map(([, { id, package: name, vulnerable }]) => {
    const fields = Object.entries({ id, package: name, vulnerable });
    return `  { ${fields.map(([field, value]) => `"${field}": ${JSON.stringify(value)}`).join(', ')} }`;
  });
  writeFileSync(file, `[\n${lines.join(',\n')}\n]\n`);
  return all.size - known.length;
};
