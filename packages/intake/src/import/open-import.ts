import type { AccountMode } from '@leadback/domain';
import type { Delimiter } from '../csv/header.ts';
import type { ImportSubject } from './import-subject.ts';
import type { TooOld } from './too-old.ts';

export interface OpenImport extends AccountMode {
  readonly id: number;
  readonly subject: ImportSubject;
  readonly isDryRun: boolean;
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  readonly digest: Buffer;
  readonly tooOld: TooOld;
  /** When the transaction began, by the clock of the database. */
  readonly at: Date;
}
