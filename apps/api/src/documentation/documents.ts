import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints } from '../endpoints/index.ts';
import { readDocuments } from './built-documents.ts';
import { type RenderedDocument, renderDocuments } from './render-documents.ts';

const besideBundle = join(import.meta.dirname, 'docs');

/** Where the build puts the packages of the SDKs, beside the documents. */
export const packagesIn = (folder: string): string => join(folder, 'packages');

const built = packagesIn(besideBundle);
const writer = join(import.meta.dirname, 'sdk', 'write-packages-to.ts');
const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'sdk-packages');

let writing: Promise<string> | undefined;

/** The folder with the packages of the SDKs: as the build has written them, or written now, once. */
export const packagesFolder = (): Promise<string> => {
  writing ??= existsSync(built)
    ? Promise.resolve(built)
    : promisify(execFile)(process.execPath, [writer, cache]).then(() => cache);
  return writing;
};

let known: readonly RenderedDocument[] | undefined;

/** The documentation of this API: as the build has rendered it, or rendered now, once. */
export const documents = (): readonly RenderedDocument[] => {
  known ??= existsSync(besideBundle) ? readDocuments(besideBundle) : renderDocuments(endpoints);
  return known;
};
