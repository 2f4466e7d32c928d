import type { AccountMode } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import type { ReceivedFile } from '../csv/receive-file.ts';
import { findImport, type ImportRecord, importResult } from './read-import.ts';
import { type NewImport, storeImport } from './store-import.ts';

/** Files that partners import. */
export interface Imports {
  /** See `storeImport`. */
  store(about: NewImport, bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  find(mode: AccountMode, id: number): Promise<ImportRecord | undefined>;
  /** See `importResult`. */
  result(about: ImportRecord): AsyncIterable<string>;
}

export const imports = (pool: Pool): Imports => ({
  store: (about, bytes) => storeImport(pool, about, bytes),
  find: (mode, id) => findImport(pool, mode, id),
  result: (about) => importResult(pool, about),
});
