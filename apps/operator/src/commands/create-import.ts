import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createImport as create, findAccount } from '@leadback/administration';
import { findAnyImport, type ImportRecord } from '@leadback/intake';
import { Refusal } from '@leadback/domain';
import { ActionRefused } from '@leadback/people';
import { z } from 'zod';
import { command, type OperatorContext } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { importRow, nextStep } from '../import-row.ts';
import { OperatorError } from '../operator-error.ts';

const lookEveryMs = 500;
// a running api takes an import within some seconds, unless others are before it
const untouchedMaxMs = 30_000;

const sizeOf = async (path: string): Promise<number> => {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError(`${path}: no such file; expected a CSV file`);
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
  if (error instanceof ActionRefused) return new OperatorError(`${path}: ${error.message}. Nothing was registered.`);
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
  summary: 'import a CSV file of clients or conversions of an account, and wait until its rows are registered',
  options: [
    ['--account <id>', 'account of the rows'],
    ['--of <subject>', 'client or conversion'],
    ['--file <path>', 'CSV file in UTF-8 with a header; docs/sales-in-files.md has the columns'],
    ['--dry-run', 'find the outcome of each row and register nothing'],
    ['--test', 'as with a test key: separate from live records, not counted'],
    ['--no-wait', 'return as soon as the file is stored'],
  ],
  input: z.object({
    account: idSchema,
    of: z.enum(['client', 'conversion'], 'expected client or conversion'),
    file: z.string('expected the path of a file'),
    dryRun: z.boolean().default(false),
    test: z.boolean().default(false),
    wait: z.boolean().default(true),
  }),
  async run({ account, of: subject, file, dryRun: isDryRun, test: isTest, wait }, context) {
    await findAccount(context.em, account);
    const about = { accountId: account, isTest, isDryRun, subject, fileName: basename(file) };
    const bytes = bytesOf(file, context);
    const id = await create(context.pool, context.actor, about, bytes).catch((error: unknown) => {
      throw problemOf(error, file);
    });
    const found = wait ? await finished(id, context) : await read(context.pool, id);
    return { ...importRow(found), next: nextStep(found) };
  },
});
