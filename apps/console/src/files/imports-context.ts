import { createImport, type ImportToCreate, registerTrial } from '@leadback/administration';
import type { Database } from '@leadback/db';
import {
  type ImportRecord,
  imports,
  importTemplate,
  type ImportSubject,
  listImports,
  readToldRows,
  type ToldOutcome,
  type ToldRow,
} from '@leadback/intake';
import type { AccountScope } from '@leadback/people';

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
