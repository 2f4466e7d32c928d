import { createReadStream } from 'node:fs';
import { stat, open, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ImportRecord, findAnyImport, listImports as list, importResult } from '@leadback/core/imports/read';
import type { ReconciliationCounts } from '@leadback/core/reconciliation/state';
import {
  allReconciliationRows,
  findReconciliation,
  type ReconciliationRecord,
} from '@leadback/core/reconciliation/read';
import { workOnNextReconciliation } from '@leadback/core/reconciliation/work';
import type { ListedRange } from '@leadback/core/reconciliation/create';
import {
  createImport as create,
  createReconciliation,
  previewImport as preview,
  replayReconciliation,
} from '@leadback/core/imports/files';
import { describePreview } from '@leadback/core/imports/preview';
import { choicesTextSchema, type FileChoices } from '@leadback/core/imports/reading';
import { findAccount } from '@leadback/core/accounts/accounts';
import {
  Refusal,
  type ReconciliationMeasure,
  reconciliationMeasures,
  type AccountMode,
  dayOrTimeSchema,
  isEmptyRange,
} from '@leadback/domain';
import { ActionRefused } from '@leadback/core/people/access';
import { z } from 'zod';
import { type ContactCipher, type Pool, contactCipher } from '@leadback/db';
import { command, type OperatorContext, type Row } from '../command.ts';
import { idSchema, OperatorError } from '../options.ts';
import { requireSetting } from '../settings.ts';

/** An import as the commands print it. */
const importRow = (found: ImportRecord) => {
  const { id, of, isTest, isDryRun, state, rows, done, counts, message, createdAt, finishedAt } = found;
  const tooOld = isDryRun && of === 'conversion' ? found.tooOld : null;
  return { id, of, isTest, dryRun: isDryRun, state, rows, done, counts, tooOld, message, createdAt, finishedAt };
};

const isOpen = ({ state }: ImportRecord) => state === 'uploading' || state === 'pending' || state === 'running';

/** What to do after an import, or while it is open. */
const nextStep = (found: ImportRecord): string | null => {
  const { id, state, counts, isDryRun } = found;
  if (isOpen(found)) return `An api registers the rows in the background. Run "import show ${id}".`;
  if (state === 'refused') return 'Nothing was registered. Correct the file and import it again.';
  if (state === 'failed') {
    return `Give the log of the apis to the developers. Run "import show ${id} --result result.csv", and import that file: rows with an outcome are not registered twice.`;
  }
  const isLeft = (counts['refused'] ?? 0) + (counts['differs'] ?? 0) > 0;
  if (isLeft) {
    return `Run "import show ${id} --result result.csv", correct the rows that were refused or differ, and import that file.`;
  }
  return isDryRun ? 'Nothing was registered. Import the file without --dry-run.' : null;
};

const lookEveryMs = 500;
// a running api takes an import within some seconds, unless others are before it
const untouchedMaxMs = 30_000;

const sizeOf = async (path: string): Promise<number> => {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError(`${path}: no such file; expected a CSV file or .xlsx`);
  return found.size;
};

/** Reads a file and shows how much of it was read. */
async function* bytesOf(path: string, { progressBar }: Pick<OperatorContext, 'progressBar'>) {
  const size = await sizeOf(path);
  let read = 0;
  for await (const chunk of createReadStream(path)) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('expected bytes');
    yield chunk;
    read += chunk.length;
    progressBar(Math.round(read / 1024), Math.round(size / 1024), 'KiB stored');
  }
}

const problemOf = (error: unknown, path: string): unknown => {
  if (error instanceof ActionRefused)
    return new OperatorError(
      `${path}: ${error.message}. Nothing was registered. \`import preview\` shows how the file is read; --choices changes it`,
    );
  return error instanceof Refusal ? new OperatorError(error.message) : error;
};

const read = async (pool: OperatorContext['pool'], id: number): Promise<ImportRecord> => {
  const found = await findAnyImport(pool, id);
  if (!found) throw new OperatorError(`import ${id} was deleted`);
  return found;
};

/** Waits until all rows have an outcome, or until it is clear that no api takes the import. */
const finished = async (id: number, { pool, progressBar }: OperatorContext): Promise<ImportRecord> => {
  for (const since = performance.now(); ; await pause(lookEveryMs)) {
    const found = await read(pool, id);
    if (found.finishedAt !== null) {
      progressBar(found.done, found.rows, 'rows');
      return found;
    }
    if (found.state === 'pending' && performance.now() - since > untouchedMaxMs) return found;
    progressBar(found.done, found.rows, 'rows');
  }
};

export const createImport = command({
  name: 'import create',
  summary:
    'import a CSV file or an Excel workbook of clients or conversions of an account, and wait until its rows are registered',
  options: [
    ['--account <id>', 'account of the rows'],
    ['--of <subject>', 'client or conversion'],
    ['--file <path>', 'CSV file or .xlsx with a header; docs/sales-in-files.md has the columns'],
    ['--choices <json>', 'how to read it, over what `import preview` shows; kept for the next files with this header'],
    ['--dry-run', 'find the outcome of each row and register nothing'],
    ['--test', 'as with a test key: separate from live records, not counted'],
    ['--no-wait', 'return as soon as the file is stored'],
  ],
  input: z.object({
    account: idSchema,
    of: z.enum(['client', 'conversion'], 'expected client or conversion'),
    file: z.string('expected the path of a file'),
    choices: choicesTextSchema.optional(),
    dryRun: z.boolean().default(false),
    test: z.boolean().default(false),
    wait: z.boolean().default(true),
  }),
  async run({ account, of: subject, file, choices, dryRun: isDryRun, test: isTest, wait }, context) {
    await findAccount(context.em, account);
    const about = { accountId: account, isTest, isDryRun, subject, choices, fileName: basename(file) };
    const bytes = bytesOf(file, context);
    const id = await create(context.pool, context.actor, about, bytes).catch((error: unknown) => {
      throw problemOf(error, file);
    });
    const found = wait ? await finished(id, context) : await read(context.pool, id);
    return { ...importRow(found), next: nextStep(found) };
  },
});

export const previewImport = command({
  name: 'import preview',
  summary: 'show how a file would be read: what was found in it, what it leaves open, and its first rows',
  options: [
    ['--account <id>', 'account of the rows'],
    ['--of <subject>', 'client or conversion'],
    ['--file <path>', 'CSV file or .xlsx with a header'],
    [
      '--choices <json>',
      'such as {"columns":{"Neto":"amount"},"decimalMark":",","dateOrder":"dmy","timeZone":"America/Bogota","currency":"COP"}',
    ],
  ],
  input: z.object({
    account: idSchema,
    of: z.enum(['client', 'conversion'], 'expected client or conversion'),
    file: z.string('expected the path of a file'),
    choices: choicesTextSchema.default({}),
  }),
  async run({ account, of: subject, file, choices }, context) {
    await findAccount(context.em, account);
    const about = { accountId: account, subject, choices };
    const found = await preview(context.pool, about, bytesOf(file, context)).catch((error: unknown) => {
      throw problemOf(error, file);
    });
    const { columns, samples, ...same } = describePreview(found);
    return {
      ...same,
      columns: columns.map(({ name, field }) => ({ column: name, field })),
      samples: samples.map(({ line, fields, message }) => ({ line, ...fields, problem: message })),
    };
  },
});

const rowsMax = 100;

export const listImports = command({
  name: 'import list',
  summary: `list the imports of an account, newest first (at most ${rowsMax}), with their rows by outcome`,
  options: [['--account <id>', 'account of the imports']],
  brief: ['id', 'of', 'dryRun', 'state', 'rows', 'done', 'createdAt'],
  columns: ['id', 'of', 'isTest', 'dryRun', 'state', 'rows', 'done', 'tooOld', 'message', 'createdAt', 'finishedAt'],
  input: z.object({ account: idSchema }),
  async run({ account }, { em, pool }) {
    await findAccount(em, account);
    return (await list(pool, account, { limit: rowsMax })).map(importRow);
  },
});

/** Writes a new file; what was written is removed if the rest cannot be. */
const write = async (text: Readable, path: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const isThere = error.code === 'EEXIST';
    throw new OperatorError(
      isThere ? `${path} exists already: name a new file` : `cannot write the result: ${error.message}`,
    );
  });
  await pipeline(text, file.createWriteStream()).catch(async (error: unknown) => {
    await rm(path, { force: true });
    throw new OperatorError(
      `cannot write the whole result: ${error instanceof Error ? error.message : String(error)}. ${path} was removed.`,
    );
  });
};

export const showImport = command({
  name: 'import show',
  summary: 'show how far an import is; --result writes its rows, each with its outcome',
  argument: '<id>',
  options: [['--result <path>', 'a new CSV file; it has personal data: delete it after use']],
  input: z.object({ id: idSchema, result: z.string().optional() }),
  async run({ id, result }, { pool }) {
    const found = await findAnyImport(pool, id);
    if (!found) throw new OperatorError(`there is no import ${id}`);
    if (result !== undefined) {
      await write(Readable.from(importResult(pool, found)), result);
    }
    return { ...importRow(found), next: nextStep(found) };
  },
});

const meanings: Readonly<Record<ReconciliationMeasure, string>> = {
  matched: 'registered alike',
  amountDiffers: 'registered with another amount',
  currencyDiffers: 'registered with another currency',
  duplicateInList: 'an earlier row of the list has the same reference',
  missing: 'not registered, client known: --replay registers them',
  missingWithoutClient: 'not registered, no such client',
  extra: 'registered in this range, but not in the list',
  undelivered: 'of the matched ones: not delivered to a platform',
  refused: 'a field of the row is invalid',
};

/** One line for each outcome that has rows. */
const outcomeTable = (counts: ReconciliationCounts): readonly Row[] =>
  reconciliationMeasures
    .filter((measure) => counts[measure] > 0)
    .map((measure) => ({ outcome: measure, rows: counts[measure], meaning: meanings[measure] }));

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
  readonly contacts: ContactCipher;
}

interface ListInFile {
  readonly mode: AccountMode;
  readonly range: ListedRange;
  readonly choices: FileChoices | undefined;
  readonly path: string;
}

/** Stores the list of a file. Returns the id of the reconciliation. */
const storeList = async (
  { pool, contacts }: Tools,
  actor: string,
  { mode, range, choices, path }: ListInFile,
): Promise<number> => {
  await using file = await opened(path);
  try {
    const about = { ...mode, range, choices, fileName: basename(path) };
    return await createReconciliation(pool, contacts, actor, about, file.createReadStream());
  } catch (error) {
    throw error instanceof ActionRefused ? new OperatorError(`--file: ${path}, ${error.message}`) : error;
  }
};

const readOrThrow = async (pool: Pool, mode: AccountMode, id: number): Promise<ReconciliationRecord> => {
  const found = await findReconciliation(pool, mode, id);
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
const workUntilDone = async (
  { pool, contacts }: Tools,
  {
    mode,
    id,
    progress,
  }: { readonly mode: AccountMode; readonly id: number; readonly progress: (line: string) => void },
): Promise<ReconciliationRecord> => {
  for (;;) {
    const found = await readOrThrow(pool, mode, id);
    if (isWorkedOff(found)) return found;
    progress(progressOf(found));
    if (!(await workOnNextReconciliation(pool, contacts, id))) await pause(pauseMs);
  }
};

const input = z
  .object({
    account: idSchema,
    test: z.boolean().default(false),
    file: z.string().optional(),
    choices: choicesTextSchema.optional(),
    from: dayOrTimeSchema.optional(),
    to: dayOrTimeSchema.optional(),
    id: idSchema.optional(),
    replay: z.boolean().default(false),
    dryRun: z.boolean().default(false),
    outcome: z.enum(reconciliationMeasures, `expected ${reconciliationMeasures.join(', ')}`).optional(),
  })
  .transform(({ file, choices, from, to, id, ...rest }, context) => {
    if (id !== undefined && file === undefined && choices === undefined) return { ...rest, list: { id } };
    if (
      file !== undefined &&
      id === undefined &&
      from !== undefined &&
      to !== undefined &&
      !isEmptyRange({ from, to })
    ) {
      return { ...rest, list: { file, choices, range: { from, to } } };
    }
    context.addIssue({
      code: 'custom',
      path: ['file'],
      message: 'give a file with --from and a later --to, or the --id of an earlier reconciliation',
    });
    return z.NEVER;
  });

const rowsWith = async (
  pool: Pool,
  mode: { readonly accountId: number; readonly isTest: boolean },
  id: number,
  outcome: ReconciliationMeasure,
  contacts: ContactCipher,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for await (const page of allReconciliationRows(pool, contacts, { accountId: mode.accountId, id, outcome }))
    rows.push(...page.map((row) => ({ ...row })));
  return rows;
};

const shownReplay = ({ replay }: ReconciliationRecord): Row => {
  if (!replay) return {};
  const { state, isDryRun, counts, tooOld, withoutTime } = replay;
  const failed = state === 'failed' ? { state } : {};
  return { replay: [{ ...failed, dryRun: isDryRun, ...counts, tooOld, withoutOccurredAt: withoutTime }] };
};

export const reconcile = command({
  name: 'reconcile',
  summary: "compare a partner's list of sales with the registered conversions, and register what is missing",
  options: [
    ['--account <id>', 'account of the conversions'],
    ['--test', 'compare with test conversions'],
    ['--file <path>', 'list in CSV or .xlsx, as for POST /reconciliation'],
    ['--choices <json>', 'how to read it, as for `import create`; they are not kept'],
    ['--from <day>', "first day of the list, in the account's time zone, or a time"],
    ['--to <day>', "last day of the list, in the account's time zone, or the time at which it ends"],
    ['--id <id>', 'an earlier reconciliation, instead of a file'],
    ['--replay', 'register what is missing and names a known client'],
    ['--dry-run', 'with --replay: try everything and keep nothing'],
    ['--outcome <outcome>', 'print the rows with this outcome, or `undelivered`, instead of the counts'],
  ],
  input,
  async run(
    { account, test: isTest, list: listed, replay, dryRun: isDryRun, outcome },
    { em, pool, secretsKeys, actor, progress },
  ) {
    await findAccount(em, account);
    const contacts = contactCipher(requireSetting('SECRETS_KEY', secretsKeys));
    const mode = { accountId: account, isTest };
    const id =
      'id' in listed
        ? listed.id
        : await storeList({ pool, contacts }, actor, {
            mode,
            path: listed.file,
            choices: listed.choices,
            range: listed.range,
          });
    const work = () => workUntilDone({ pool, contacts }, { mode, id, progress });
    let found = await work();
    if (replay) {
      await replayReconciliation(pool, actor, mode, { id, outcomes: ['missing'], isDryRun });
      found = await work();
    }
    if (outcome !== undefined) return rowsWith(pool, mode, id, outcome, contacts);
    const { state, rows, counts } = found;
    const failed = state === 'failed' ? { state } : {};
    return { id, ...failed, from: found.from, until: found.until, rows, counts, ...shownReplay(found) };
  },
  shown: (output) => {
    if (Array.isArray(output) || !('counts' in output)) return output;
    const { counts, ...rest } = output;
    return { ...rest, outcomes: outcomeTable(counts) };
  },
});
