import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '@leadback/domain';
import { z } from 'zod';
import type { RenderedDocument } from './render-documents.ts';

const indexFile = 'index.json';
const encodings = ['br', 'gzip', 'identity'] as const;

const indexSchema = z.array(
  z.object({
    path: z.string(),
    language: z.enum(languages).optional(),
    type: z.string(),
    cacheControl: z.string(),
    digest: z.base64url(),
  }),
);

/** Writes what the build has rendered: a file for each document and encoding, named after its content, and a list of them. */
export const writeDocuments = (folder: string, documents: readonly RenderedDocument[]): void => {
  mkdirSync(folder, { recursive: true });
  for (const { content } of documents) {
    for (const encoding of encodings) {
      writeFileSync(join(folder, `${content.digest}.${encoding}`), content.bytes[encoding]);
    }
  }
  const index = documents.map(({ content, ...document }) => ({ ...document, digest: content.digest }));
  writeFileSync(join(folder, indexFile), JSON.stringify(index));
};

/** Reads what `writeDocuments` has written. */
export const readDocuments = (folder: string): readonly RenderedDocument[] => {
  const index = indexSchema.parse(JSON.parse(readFileSync(join(folder, indexFile), 'utf8')));
  return index.map(({ digest, ...document }) => {
    const read = (encoding: (typeof encodings)[number]) => readFileSync(join(folder, `${digest}.${encoding}`));
    return {
      ...document,
      content: { digest, bytes: { br: read('br'), gzip: read('gzip'), identity: read('identity') } },
    };
  });
};
