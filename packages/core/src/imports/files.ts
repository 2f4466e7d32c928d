import { CsvProblem } from '../csv/read.ts';
import type { ImportSubject } from './subject.ts';
import { type FilePreview, previewFile } from './preview.ts';
import type { FileChoices } from './reading.ts';
import { storeImport } from './store.ts';
import { listedFile, storeList, type ListedRange } from '../reconciliation/create.ts';
import { registerDryRun as register, type DryRunRegistered } from './dry-run.ts';
import { startReplay } from '../reconciliation/replay.ts';
import { ActionRefused, type RefusedBecause } from '../people/access.ts';
import { audit } from '../audit.ts';
import type { AccountMode, ReplayableOutcome } from '@leadback/domain';
import type { Pool, ContactCipher } from '@leadback/db';

/** Stores a file; one that cannot be read is the problem of who sent it. */
const readable = async <Result>(store: () => Promise<Result>): Promise<Result> => {
  try {
    return await store();
  } catch (error) {
    throw error instanceof CsvProblem ? new ActionRefused('invalid', error.message) : error;
  }
};

export interface ImportToCreate extends AccountMode {
  readonly subject: ImportSubject;
  /** Registers nothing. */
  readonly isDryRun: boolean;
  /** How the file is to be read, over what is found in it. */
  readonly choices?: FileChoices | undefined;
  readonly fileName?: string | undefined;
}

/**
 * Stores a CSV file, which an api then registers. Returns the id of the import. Throws `ActionRefused`, with the line,
 * if the file cannot be read.
 */
export const createImport = async (
  pool: Pool,
  actor: string,
  { accountId, isTest, subject, isDryRun, choices, fileName }: ImportToCreate,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> => {
  const { id, problem } = await readable(() =>
    storeImport(
      pool,
      {
        accountId,
        isTest,
        subject,
        isDryRun,
        choices,
        fileName,
        createdBy: actor,
        onBegun: (on, importId) => {
          const details = { of: subject, isTest, isDryRun };
          return audit(on, { actor, action: 'import.create', accountId, target: `import ${importId}`, details });
        },
      },
      bytes,
    ),
  );
  if (problem !== undefined) throw new ActionRefused('invalid', problem);
  return id;
};

/** Reads a file as an import would, and stores nothing. Throws `ActionRefused`, with the line, if it cannot be read. */
export const previewImport = (
  pool: Pool,
  about: Parameters<typeof previewFile>[1],
  bytes: AsyncIterable<Uint8Array>,
): Promise<FilePreview> => readable(() => previewFile(pool, about, bytes));

interface ListToCompare extends AccountMode {
  readonly range: ListedRange;
  /** How the file is to be read, over what is found in it. */
  readonly choices?: FileChoices | undefined;
  readonly fileName?: string | undefined;
}

/**
 * Stores a list of sales in CSV or in a workbook, which an api then compares. Returns the id of the reconciliation. Throws
 * `ActionRefused`, with the line, if the file cannot be read; then nothing is stored.
 */
export const createReconciliation = (
  pool: Pool,
  contacts: ContactCipher,
  actor: string,
  { accountId, isTest, range, choices, fileName }: ListToCompare,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> =>
  readable(() =>
    storeList(pool, contacts, {
      accountId,
      isTest,
      range,
      rows: listedFile(bytes, choices),
      fileName,
      createdBy: actor,
      onBegun: (on, id) => {
        const details = { ...range, isTest };
        const target = `reconciliation ${id}`;
        return audit(on, { actor, action: 'reconciliation.create', accountId, target, details });
      },
    }),
  );

const refusals = {
  unknown: ['not-found', 'there is no such dry run'],
  unfinished: ['conflict', 'the dry run is not done; wait until each row has an outcome'],
  nothing: ['conflict', 'the dry run would register nothing; correct the file, then send it again'],
} as const satisfies Readonly<
  Record<Exclude<DryRunRegistered['kind'], 'begun' | 'registered'>, readonly [RefusedBecause, string]>
>;

/**
 * Registers the rows of a dry run, as they were sent: an api does it in the background. Returns the id of the import, the
 * same each time.
 */
export const registerDryRun = async (
  pool: Pool,
  actor: string,
  mode: AccountMode,
  dryRunId: number,
): Promise<{ readonly id: number }> => {
  const { accountId } = mode;
  const outcome = await register(pool, mode, {
    id: dryRunId,
    createdBy: actor,
    onBegun: (on, id) => {
      const details = { dryRun: dryRunId };
      return audit(on, { actor, action: 'import.register', accountId, target: `import ${id}`, details });
    },
  });
  if ('id' in outcome) return { id: outcome.id };
  const [because, message] = refusals[outcome.kind];
  throw new ActionRefused(because, message);
};

interface ReplayToStart {
  readonly id: number;
  readonly outcomes: readonly ReplayableOutcome[];
  /** Tries everything and keeps nothing. */
  readonly isDryRun: boolean;
}

/** Starts to register what a list has and the account has not. See `startReplay`. */
export const replayReconciliation = async (
  pool: Pool,
  actor: string,
  mode: AccountMode,
  { id, outcomes, isDryRun }: ReplayToStart,
): Promise<void> => {
  const { accountId } = mode;
  const target = `reconciliation ${id}`;
  await startReplay(pool, mode, {
    id,
    outcomes,
    isDryRun,
    onStarted: (on) =>
      audit(on, { actor, action: 'reconciliation.replay', accountId, target, details: { outcomes, isDryRun } }),
  });
};
