import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createReconciliation } from '@leadback/administration';
import type { AccountMode } from '@leadback/domain';
import type { Contacts, Pool } from '@leadback/db';
import { ActionRefused } from '@leadback/people';
import {
  type ReconciliationRecord,
  reconciliationReader,
  reconciliationWorker,
  type TimeRange,
} from '@leadback/intake';
import { OperatorError } from '../operator-error.ts';

const pauseMs = 100;

const opened = async (path: string) => {
  try {
    return await open(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new OperatorError(`--file: cannot read ${path} (${code})`);
  }
};

interface Tools {
  readonly pool: Pool;
  readonly contacts: Contacts;
}

export interface ListInFile {
  readonly mode: AccountMode;
  readonly range: TimeRange;
  readonly path: string;
}

/** Stores the list of a file. Returns the id of the reconciliation. */
export const storeList = async (
  { pool, contacts }: Tools,
  actor: string,
  { mode, range, path }: ListInFile,
): Promise<number> => {
  await using file = await opened(path);
  try {
    const list = { bytes: file.createReadStream(), fileName: basename(path) };
    return await createReconciliation({ pool, contacts }, actor, { mode, range }, list);
  } catch (error) {
    throw error instanceof ActionRefused ? new OperatorError(`--file: ${path}, ${error.message}`) : error;
  }
};

const readOrThrow = async (pool: Pool, mode: AccountMode, id: number): Promise<ReconciliationRecord> => {
  const found = await reconciliationReader(pool)(mode, id);
  if (!found) throw new OperatorError(`--id: this account has no reconciliation ${id}`);
  return found;
};

const isWorkedOff = ({ state, replay }: ReconciliationRecord) =>
  (state === 'done' || state === 'failed') && replay?.state !== 'running';

const progressOf = ({ state, done, rows, replay }: ReconciliationRecord): string => {
  if (state === 'pending' || state === 'running') return `compared ${done} of ${rows} rows`;
  return `registered ${replay?.counts.created ?? 0} missing conversions`;
};

/**
 * Works on a reconciliation until it is done, beside the api if that does too. Workers find the new deliveries in the
 * database.
 */
export const workUntilDone = async (
  { pool, contacts }: Tools,
  {
    mode,
    id,
    progress,
  }: { readonly mode: AccountMode; readonly id: number; readonly progress: (line: string) => void },
): Promise<ReconciliationRecord> => {
  const work = reconciliationWorker(pool, { contacts, onRegistered: () => {} });
  for (;;) {
    const found = await readOrThrow(pool, mode, id);
    if (isWorkedOff(found)) return found;
    progress(progressOf(found));
    if (!(await work(id))) await pause(pauseMs);
  }
};
