import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findAnyImport, importResult } from '@leadback/intake';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { importRow, nextStep } from '../import-row.ts';
import { OperatorError } from '../operator-error.ts';

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
