import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { list, pageOf } from './table.ts';

const listSchema = z.object({ terms: z.array(z.object({ term: z.string(), meaning: z.string() })) });

export const glossaryPage = (): string => {
  const file = new URL('../banned-words.json', import.meta.url);
  const { terms } = listSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return pageOf(
    'Glossary',
    'For everybody: one word for one thing.',
    list(terms.map(({ term, meaning }) => [`**${term}**`, meaning])),
  );
};
