import type { AccountMode } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import { type ImportSubject, storeImport } from '@leadback/intake';
import { ActionRefused, auditOn } from '@leadback/people';
import { readable } from './readable.ts';

export interface ImportToCreate extends AccountMode {
  readonly subject: ImportSubject;
  /** Registers nothing. */
  readonly isDryRun: boolean;
  readonly fileName?: string | undefined;
}

/**
 * Stores a CSV file, which an api then registers. Returns the id of the import. Throws `ActionRefused`, with the line,
 * if the file cannot be read.
 */
export const createImport = async (
  pool: Pool,
  actor: string,
  { accountId, isTest, subject, isDryRun, fileName }: ImportToCreate,
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
        fileName,
        createdBy: actor,
        onBegun: (on, importId) => {
          const details = { of: subject, isTest, isDryRun };
          return auditOn(on, { actor, action: 'import.create', accountId, target: `import ${importId}`, details });
        },
      },
      bytes,
    ),
  );
  if (problem !== undefined) throw new ActionRefused('invalid', problem);
  return id;
};
