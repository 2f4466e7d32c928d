import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../endpoints/index.ts';
import { readDocuments } from './built-documents.ts';
import { type RenderedDocument, renderDocuments } from './render-documents.ts';

const besideBundle = join(import.meta.dirname, 'docs');

/** Where the build puts the packages of the SDKs, beside the documents. */
export const packagesIn = (folder: string): string => join(folder, 'packages');

/** The packages of the SDKs; there are none before a build. */
export const packagesFolder = packagesIn(besideBundle);

let known: readonly RenderedDocument[] | undefined;

/** The documentation of this API: as the build has rendered it, or rendered now, once. */
export const documents = (): readonly RenderedDocument[] => {
  known ??= existsSync(besideBundle) ? readDocuments(besideBundle) : renderDocuments(endpoints);
  return known;
};
