import type { AccountMode } from '@leadback/domain';
import type { NewParcel } from '@leadback/delivery/enqueue';
import { type PoolClient, preparedStatement } from '@leadback/db';
import type { Delimiter } from '../csv/header.ts';
import { type ImportSubject, itemOf, referenceColumnOf } from './import-subject.ts';

export interface OpenImport extends AccountMode {
  readonly id: number;
  readonly subject: ImportSubject;
  readonly isDryRun: boolean;
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  readonly digest: Buffer;
}

export interface OpenRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The outcome of an item, as the batch endpoints return it. */
export interface ItemOutcome {
  readonly outcome: string;
  readonly id?: number | undefined;
  readonly message?: string | undefined;
}

/** Registers many items in the transaction of the caller. Returns one outcome per item, in order. */
export type RegisterItems = (
  on: PoolClient,
  mode: AccountMode,
  items: readonly unknown[],
) => Promise<{ readonly outcomes: readonly ItemOutcome[]; readonly parcels: readonly NewParcel[] }>;

/** A row with its outcome. */
export interface ClosedRow extends ItemOutcome {
  readonly line: number;
  readonly item: Readonly<Record<string, string | number>>;
  /** Of a row that a dry run would register. */
  readonly trialReference?: string | undefined;
}

// clients without a reference cannot be recognised but by the file and the line
const findSameRows = preparedStatement<{ line: number; record_id: number }>(
  'find-rows-of-same-file',
  `select asked.line, r.record_id from unnest($5::int[]) asked (line)
   cross join lateral (
     select record_id from import_row
     where import_id = any(array(
             select id from import
             where account_id = $1 and digest = $2 and is_test = $3 and id <> $4 and subject = 'client' and not is_dry_run))
       and line = asked.line and record_id is not null
     limit 1
   ) r`,
);

const findTrials = preparedStatement<{ trial_reference: string }>(
  'find-trial-references',
  `select trial_reference from import_row where import_id = $1 and trial_reference = any($2)`,
);

type Rows = readonly Pick<ClosedRow, 'line' | 'item'>[];

const rowsOfSameFile = async (on: PoolClient, { id, accountId, isTest, digest, subject }: OpenImport, rows: Rows) => {
  if (subject !== 'client') return new Map<number, number>();
  const lines = rows.filter(({ item }) => item['externalReference'] === undefined).map(({ line }) => line);
  if (lines.length === 0) return new Map<number, number>();
  const found = await findSameRows(on, [accountId, digest, isTest, id, lines]);
  return new Map(found.map(({ line, record_id: recordId }) => [line, recordId]));
};

const repeatedInFile = { client: 'existing', conversion: 'repeated' } as const;

/**
 * The outcomes of a dry run, without ids that no record has. Marks what would have been registered, and finds what an
 * earlier row of the file would have registered already.
 */
const tried = async (on: PoolClient, about: OpenImport, rows: readonly ClosedRow[]): Promise<ClosedRow[]> => {
  const invented = new Set(rows.filter(({ outcome }) => outcome === 'created').map(({ id }) => id));
  const referenceOf = ({ outcome, item }: ClosedRow) => {
    const reference = item[referenceColumnOf[about.subject]];
    return outcome === 'created' && reference !== undefined ? String(reference) : undefined;
  };
  const references = rows.map(referenceOf).filter((reference) => reference !== undefined);
  const found = references.length === 0 ? [] : await findTrials(on, [about.id, references]);
  const earlier = new Set(found.map(({ trial_reference: reference }) => reference));
  return rows.map((row) => {
    const { line, item, outcome, message, id } = row;
    const trialReference = referenceOf(row);
    if (trialReference === undefined || !earlier.has(trialReference)) {
      return { line, item, outcome, message, trialReference, id: invented.has(id) ? undefined : id };
    }
    const repeated = repeatedInFile[about.subject];
    return { line, item, outcome: repeated, message: 'an earlier row of this file has this reference' };
  });
};

/** Registers rows of an import in the transaction of the caller; a dry run only finds out what would happen. */
export const registerSlice = async (
  on: PoolClient,
  about: OpenImport,
  open: readonly OpenRow[],
  register: RegisterItems,
): Promise<{ readonly rows: readonly ClosedRow[]; readonly parcels: readonly NewParcel[] }> => {
  const rows = open.map(({ line, cells }) => ({ line, item: itemOf(cells, about) }));
  const same = await rowsOfSameFile(on, about, rows);
  const fresh = rows.filter(({ line }) => !same.has(line));
  const existing = rows.flatMap((row): ClosedRow[] => {
    const id = same.get(row.line);
    return id === undefined ? [] : [{ ...row, outcome: 'existing', id }];
  });
  if (fresh.length === 0) return { rows: existing, parcels: [] };

  if (about.isDryRun) await on.query('savepoint trial');
  const { outcomes, parcels } = await register(
    on,
    about,
    fresh.map(({ item }) => item),
  );
  if (about.isDryRun) await on.query('rollback to savepoint trial');
  const closed = fresh.map((row, index): ClosedRow => {
    const result = outcomes[index];
    if (!result) throw new Error('fewer outcomes than items');
    return { ...row, outcome: result.outcome, id: result.id, message: result.message };
  });
  if (!about.isDryRun) return { rows: [...existing, ...closed], parcels };
  return { rows: [...existing, ...(await tried(on, about, closed))], parcels: [] };
};
