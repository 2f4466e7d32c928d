import type { AccountMode, Delimiter } from '@leadback/domain';
import { type Pool, preparedStatement } from '@leadback/db';
import type { ImportSubject } from './import-subject.ts';
import type { ImportTally } from './import-tally.ts';
import { registrationOf } from './register-trial.ts';

export interface ImportRecord extends ImportTally {
  readonly id: number;
  readonly of: ImportSubject;
  readonly isTest: boolean;
  readonly isDryRun: boolean;
  readonly state: 'uploading' | 'pending' | 'running' | 'done' | 'refused' | 'failed';
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  readonly rows: number;
  readonly done: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly fileName: string | null;
  /** Null: a partner, with an API key. */
  readonly createdBy: string | null;
  /** The dry run whose rows these are. */
  readonly trialId: number | null;
  /** Of a dry run: the import that registered its rows, unless that has failed. */
  readonly registeredAs: number | null;
  readonly message: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const fields = `id, subject as of, is_test as "isTest", is_dry_run as "isDryRun", state, columns, delimiter, rows, done,
  counts, too_old as "tooOld", money, unshared, email_references as "emailReferences", file_name as "fileName", created_by as "createdBy", trial_id as "trialId",
  message, created_at as "createdAt", finished_at as "finishedAt",
  ${registrationOf('import.id')} as "registeredAs"`;

/** Without a mode: live and test. */
export type AnyMode = Pick<AccountMode, 'accountId'> & Partial<AccountMode>;

const find = preparedStatement<ImportRecord>(
  'read-import',
  `select ${fields} from import where id = $1 and account_id = $2 and ($3::boolean is null or is_test = $3)`,
);

export const findImport = async (
  pool: Pool,
  { accountId, isTest }: AnyMode,
  id: number,
): Promise<ImportRecord | undefined> => (await find(pool, [id, accountId, isTest ?? null]))[0];

const findAny = preparedStatement<ImportRecord>('read-any-import', `select ${fields} from import where id = $1`);

/** Finds an import of any account, for operators. */
export const findAnyImport = async (pool: Pool, id: number): Promise<ImportRecord | undefined> =>
  (await findAny(pool, [id]))[0];

// with `between`, only the index of the account has this order
const list = preparedStatement<ImportRecord>(
  'list-imports',
  `select ${fields} from import where account_id between $1 and $1 and id < $3 order by account_id desc, id desc limit $2`,
);

/** The newest imports of an account, live and test; `before`: only those with a smaller id. */
export const listImports = (
  pool: Pool,
  accountId: number,
  { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number | undefined },
): Promise<ImportRecord[]> => list(pool, [accountId, limit, before]);
