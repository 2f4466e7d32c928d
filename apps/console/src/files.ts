import {
  createImport,
  createReconciliation,
  type ImportToCreate,
  registerTrial,
  replayReconciliation,
} from '@leadback/core/imports/files';
import type { Contacts, Database } from '@leadback/db';
import type { ReconciliationMeasure, ReplayableOutcome } from '@leadback/domain';
import {
  type ImportRecord,
  listImports,
  importTemplate,
  readToldRows,
  type ToldRow,
  type ToldOutcome,
} from '@leadback/core/imports/read';
import type { ImportSubject } from '@leadback/core/imports/subject';
import { imports } from '@leadback/core/imports/store';
import {
  listReconciliations,
  type ReconciliationRecord,
  reconciliationReader,
  type ReconciliationRowRecord,
  rowsReader,
  rowsFile,
} from '@leadback/core/reconciliation/read';
import type { TimeRange } from '@leadback/core/reconciliation/create';
import type { AccountScope } from '@leadback/core/people/access';

interface ToldRowsPage {
  readonly outcome: ToldOutcome;
  readonly after: number;
  readonly limit: number;
}

/** What the endpoints of imports may use. */
export interface ImportsContext {
  /** Begins with the dry run of a file. */
  tryFile(
    scope: AccountScope,
    actor: string,
    about: Omit<ImportToCreate, 'accountId' | 'isDryRun'>,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<number>;
  list(
    scope: AccountScope,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<ImportRecord[]>;
  find(scope: AccountScope, id: number): Promise<ImportRecord | undefined>;
  toldRows(about: ImportRecord, page: ToldRowsPage): Promise<ToldRow[]>;
  register(scope: AccountScope, actor: string, trial: ImportRecord): Promise<{ readonly id: number }>;
  result(about: ImportRecord, told: ToldOutcome | undefined): AsyncIterable<string>;
  template(subject: ImportSubject): string;
}

export const importsContext = ({ pool }: Pick<Database, 'pool'>): ImportsContext => {
  const files = imports(pool);
  return {
    tryFile: ({ accountId }, actor, about, bytes) =>
      createImport(pool, actor, { ...about, accountId, isDryRun: true }, bytes),
    list: ({ accountId }, page) => listImports(pool, accountId, page),
    find: ({ accountId }, id) => files.find({ accountId }, id),
    toldRows: (about, page) => readToldRows(pool, about, page),
    register: ({ accountId }, actor, { id, isTest }) => registerTrial(pool, actor, { accountId, isTest }, id),
    result: (about, told) => files.result(about, told),
    template: importTemplate,
  };
};

interface ListToStore {
  readonly isTest: boolean;
  readonly range: TimeRange;
  readonly fileName: string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface RowsPage {
  readonly outcome: ReconciliationMeasure | undefined;
  readonly after: number;
  readonly limit: number;
}

interface ReplayOrder {
  readonly outcomes: readonly ReplayableOutcome[];
  readonly isDryRun: boolean;
}

/** What the endpoints of reconciliations may use. */
export interface ReconciliationsContext {
  store(scope: AccountScope, actor: string, list: ListToStore): Promise<number>;
  list(
    scope: AccountScope,
    page: { readonly before: number | undefined; readonly limit: number },
  ): Promise<ReconciliationRecord[]>;
  find(scope: AccountScope, id: number): Promise<ReconciliationRecord | undefined>;
  rows(scope: AccountScope, id: number, page: RowsPage): Promise<readonly ReconciliationRowRecord[]>;
  file(
    scope: AccountScope,
    about: ReconciliationRecord,
    outcome: ReconciliationMeasure | undefined,
  ): AsyncIterable<string>;
  replay(scope: AccountScope, actor: string, about: ReconciliationRecord, order: ReplayOrder): Promise<void>;
}

export const reconciliationsContext = (
  { pool }: Pick<Database, 'pool'>,
  contacts: Contacts,
): ReconciliationsContext => {
  const read = reconciliationReader(pool);
  const readRows = rowsReader(pool, contacts);
  const file = rowsFile(pool, contacts);
  return {
    store: ({ accountId }, actor, { isTest, range, ...list }) =>
      createReconciliation({ pool, contacts }, actor, { mode: { accountId, isTest }, range }, list),
    list: ({ accountId }, page) => listReconciliations(pool, accountId, page),
    find: ({ accountId }, id) => read({ accountId }, id),
    rows: ({ accountId }, id, page) => readRows({ accountId }, { id, ...page }),
    file: ({ accountId }, { id, isTest }, outcome) => file({ accountId, isTest }, { id, outcome }),
    replay: ({ accountId }, actor, { id, isTest }, order) =>
      replayReconciliation(pool, actor, { accountId, isTest }, { id, ...order }),
  };
};
