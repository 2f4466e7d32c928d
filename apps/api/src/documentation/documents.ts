import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../endpoints/index.ts';
import { readDocuments } from './built-documents.ts';
import { type RenderedDocument, renderDocuments } from './render-documents.ts';

const besideBundle = join(import.meta.dirname, 'docs');

let known: readonly RenderedDocument[] | undefined;

/** The documentation of this API: as the build has rendered it, or rendered now, once. */
export const documents = (): readonly RenderedDocument[] => {
  known ??= existsSync(besideBundle) ? readDocuments(besideBundle) : renderDocuments(endpoints);
  return known;
};
