import { inTransaction, isDataError, isStatementTimeout, type Pool, type PoolClient } from '@leadback/db';
import type { NewParcel } from '../delivery/enqueue.ts';
import { isCountedFailure } from '../bounded-tries.ts';
import {
  noteImportFailure,
  type PickedImport,
  pickImport,
  readRows,
  saveOutcomes,
  saveProgress,
} from './import-progress.ts';
import type { ImportSubject } from './import-subject.ts';
import type { OpenImport } from './open-import.ts';
import { type ClosedRow, type RegisterItems, registerSlice } from './register-slice.ts';

/** What was committed. */
export interface ImportStep extends Pick<OpenImport, 'id' | 'subject' | 'isTest' | 'isDryRun'> {
  /** The rows that have an outcome now. */
  readonly rows: readonly ClosedRow[];
  /** To be announced. */
  readonly parcels: readonly NewParcel[];
  /** Whether all rows of the import have an outcome. */
  readonly isFinished: boolean;
  /** Why the work was given up, if it was: this was the last of several failures. */
  readonly error?: unknown;
}

// A larger slice holds its locks for longer and saves little, see docs/performance.md.
const rowsPerSlice = 200;

const counted = (
  counts: Readonly<Record<string, number>>,
  rows: readonly { outcome: string }[],
): Record<string, number> => {
  const sums: Record<string, number> = { ...counts };
  for (const { outcome } of rows) sums[outcome] = (sums[outcome] ?? 0) + 1;
  return sums;
};

const workOn = async (
  on: PoolClient,
  about: PickedImport,
  rowsMax: number,
  register: RegisterItems,
): Promise<ImportStep> => {
  const { id, subject, isTest, isDryRun, lastLine } = about;
  const found = await readRows(on, about, rowsMax);
  const [first, last] = [found[0]?.line ?? lastLine, found.at(-1)?.line ?? lastLine];
  const open = found.filter(({ outcome }) => outcome === null);
  // by an erasure
  const closed = found.flatMap(({ outcome }) => (outcome === null ? [] : [{ outcome }]));
  const nothing = { rows: [], parcels: [], tally: about };
  const { rows, parcels, tally } = open.length === 0 ? nothing : await registerSlice(on, about, open, register);
  await saveOutcomes(on, about, rows, { first, last });
  const done = about.done + found.length;
  const isFinished = found.length === 0 || done >= about.rows;
  const counts = counted(about.counts, [...rows, ...closed]);
  await saveProgress(on, about, { done, lastLine: last, counts, isFinished, tally });
  return { id, subject, isTest, isDryRun, rows, parcels, isFinished };
};

const refuseAll: RegisterItems = (_on, _mode, items) =>
  Promise.resolve({
    outcomes: items.map(() => ({ outcome: 'refused', message: 'internal error; give support the id of the import' })),
    parcels: [],
  });

/**
 * Returns a function that registers the next rows of an open import, in one transaction with their outcomes: after a
 * crash, another worker goes on where the last commit ended. Workers take imports of different accounts; each worker takes
 * turns with those that it finds. Returns undefined if no import can be worked on now. Throws if rows failed and will be
 * tried again.
 */
export const importWorker = (
  pool: Pool,
  register: Readonly<Record<ImportSubject, RegisterItems>>,
): (() => Promise<ImportStep | undefined>) => {
  // the import that was picked last, also if it failed: the others must not wait for it
  let lastId = 0;

  // where it was when it was picked
  let place: PickedImport | undefined;

  const step = (after: number, rowsMax: number, poisoned?: PickedImport): Promise<ImportStep | undefined> =>
    inTransaction(pool, async (on) => {
      place = undefined;
      const about = await pickImport(on, after);
      lastId = about?.id ?? 0;
      place = about;
      if (!about) return undefined;
      // another instance may have taken the import meanwhile: then the row that is next is a good one
      const isPoisoned = poisoned?.id === about.id && poisoned.lastLine === about.lastLine;
      return workOn(on, about, isPoisoned ? 1 : rowsMax, isPoisoned ? refuseAll : register[about.subject]);
    });

  /** Halves the slice until a row that fails is alone, and refuses that row. */
  const stepAfter = async (after: number): Promise<ImportStep | undefined> => {
    for (let rowsMax = rowsPerSlice; ; rowsMax = Math.floor(rowsMax / 2)) {
      try {
        return await step(after, rowsMax);
      } catch (error) {
        if (rowsMax > 1 && (isDataError(error) || isStatementTimeout(error))) continue;
        if (!isDataError(error)) throw error;
        return await step(after, rowsMax, place);
      }
    }
  };

  const giveUp = async (failed: PickedImport, error: unknown): Promise<ImportStep | undefined> => {
    const { id, subject, isTest, isDryRun } = failed;
    const hasEnded = await noteImportFailure(pool, failed).catch(() => false);
    return hasEnded ? { id, subject, isTest, isDryRun, rows: [], parcels: [], isFinished: true, error } : undefined;
  };

  return async () => {
    const after = lastId;
    try {
      return (await stepAfter(after)) ?? (after === 0 ? undefined : await stepAfter(0));
    } catch (error) {
      const last = place && isCountedFailure(error) ? await giveUp(place, error) : undefined;
      if (last) return last;
      throw error;
    }
  };
};
