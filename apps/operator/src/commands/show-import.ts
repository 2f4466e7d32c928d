import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findAnyImport, importResult } from '@leadback/intake';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { importRow, nextStep } from '../import-row.ts';
import { OperatorError } from '../operator-error.ts';

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
      const file = createWriteStream(result, { flags: 'wx', mode: 0o600 });
      await pipeline(Readable.from(importResult(pool, found)), file).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new OperatorError(`cannot write the result: ${reason}. Name a file that does not exist yet.`);
      });
    }
    return { ...importRow(found), next: nextStep(found) };
  },
});
