import type { AccountMode } from '@leadback/domain';
import type { Delimiter } from '../csv/header.ts';
import type { ImportSubject } from './import-subject.ts';

export interface OpenImport extends AccountMode {
  readonly id: number;
  readonly subject: ImportSubject;
  readonly isDryRun: boolean;
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  readonly digest: Buffer;
}
