import type { AccountMode } from '@leadback/domain';
import type { Contacts, Pool } from '@leadback/db';
import { listedFile, reconciliationCreator, type TimeRange } from '@leadback/intake';
import { auditOn } from '@leadback/people';
import { readable } from './readable.ts';

export interface ListToCompare {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly fileName?: string | undefined;
}

/**
 * Stores a list of sales in CSV, which an api then compares. Returns the id of the reconciliation. Throws
 * `ActionRefused`, with the line, if the file cannot be read; then nothing is stored.
 */
export const createReconciliation = (
  { pool, contacts }: { readonly pool: Pool; readonly contacts: Contacts },
  actor: string,
  { mode, range }: { readonly mode: AccountMode; readonly range: TimeRange },
  { bytes, fileName }: ListToCompare,
): Promise<number> =>
  readable(() =>
    reconciliationCreator(pool, contacts)(mode, range, listedFile(bytes), {
      fileName,
      createdBy: actor,
      onBegun: (on, id) => {
        const { accountId, isTest } = mode;
        const details = { ...range, isTest };
        const target = `reconciliation ${id}`;
        return auditOn(on, { actor, action: 'reconciliation.create', accountId, target, details });
      },
    }),
  );
