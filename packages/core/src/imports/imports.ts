import type { Pool } from '@leadback/db';
import type { ReceivedFile } from '../csv/receive-file.ts';
import { importResult, type ToldOutcome } from './import-result.ts';
import { type AnyMode, findImport, type ImportRecord } from './read-import.ts';
import { type NewImport, storeImport } from './store-import.ts';

/** Files that partners import. */
export interface Imports {
  /** See `storeImport`. */
  store(about: NewImport, bytes: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  find(account: AnyMode, id: number): Promise<ImportRecord | undefined>;
  /** See `importResult`. */
  result(about: ImportRecord, told?: ToldOutcome): AsyncIterable<string>;
}

export const imports = (pool: Pool): Imports => ({
  store: (about, bytes) => storeImport(pool, about, bytes),
  find: (account, id) => findImport(pool, account, id),
  result: (about, told) => importResult(pool, about, told),
});
