import type { AccountMode, Delimiter } from '@leadback/domain';
import type { ImportSubject } from './import-subject.ts';
import type { ImportTally } from './import-tally.ts';

export interface OpenImport extends AccountMode, ImportTally {
  readonly id: number;
  readonly subject: ImportSubject;
  readonly isDryRun: boolean;
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  readonly digest: Buffer;
  /** When the transaction began, by the clock of the database. */
  readonly at: Date;
}
