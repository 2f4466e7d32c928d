import { importBytesMax, importsBytesMax, Refusal, type AccountMode } from '@leadback/domain';
import { transaction, type Pool, type PoolClient, statement } from '@leadback/db';
import { takeTurn } from '../work-queue.ts';

const openMax = 10;

/** Longer than any upload. */
export const abandonedAfter = '20 minutes';

/** SQL: whether fewer than ten files of the account $1 in the mode $2 are open. */
export const hasRoom = `(
  select count(*) from import
  where finished_at is null and account_id = $1 and is_test = $2 and state <> 'refused'
    and (state <> 'uploading' or created_at > now() - interval '${abandonedAfter}')
) < ${openMax}`;

// one that is being stored may be as large as any
const keptBytes = `(
  select coalesce(sum(case state when 'uploading' then ${importBytesMax} else bytes end), 0) from import
  where account_id = $1 and is_test = $2 and state <> 'refused')`;

/** SQL: whether a file of so many bytes, an expression, has room beside those of the account $1 in the mode $2 that are kept. */
const hasBytesFor = (bytes: string): string => `${keptBytes} + ${bytes} <= ${importsBytesMax}`;

/** SQL: whether one more file of any size has. */
export const hasBytes: string = hasBytesFor(String(importBytesMax));

export interface Room {
  readonly hasRoom: boolean;
  readonly hasBytes: boolean;
}

/** Throws `rate-limited` or `invalid-fields`. */
export const requireRoom = (room: Room | undefined): void => {
  if (room?.hasRoom !== true) throw new Refusal('rate-limited.imports');
  if (!room.hasBytes) throw new Refusal('invalid-fields.imports');
};

/** SQL: the id of the import that registered the rows of a dry run, unless that has failed; null: none. */
export const registrationOf = (dryRun: string): string => `(
  select registered.id from import registered
  where registered.dry_run_id = ${dryRun} and registered.state <> 'failed' limit 1)`;

/** `registered`: before, as `id`. `nothing`: it would create nothing. */
export type DryRunRegistered =
  | { readonly kind: 'begun' | 'registered'; readonly id: number }
  | { readonly kind: 'unknown' | 'unfinished' | 'nothing' };

interface DryRun extends Room {
  readonly state: string;
  readonly created: number;
  readonly rows: number;
  /** Of the import that would register them. */
  readonly nextId: number;
  readonly registeredAs: number | null;
}

const lockDryRun = statement<{ id: number }>(
  `select id from import where id = $3 and account_id = $1 and is_test = $2 and is_dry_run limit 1 for update`,
);

// after the lock, so that it sees what those before have committed
const readDryRun = statement<DryRun>(
  `select state, coalesce((counts ->> 'created')::int, 0) as created, rows, ${registrationOf('import.id')} as "registeredAs",
          nextval('import_id_seq') as "nextId", ${hasRoom} as "hasRoom", ${hasBytesFor('import.bytes')} as "hasBytes"
   from import where id = $3`,
);

const begin = statement<{ id: number }>(
  `insert into import (id, account_id, is_test, is_dry_run, subject, columns, delimiter, reading, digest, rows, bytes, state, dry_run_id,
                       file_name, created_by)
   select $4, $1, $2, false, subject, columns, delimiter, reading, digest, rows, bytes, 'pending', id, file_name, $5
   from import where id = $3 and ${hasRoom} and ${hasBytesFor('import.bytes')}
   returning id`,
);

const rowsPerStatement = 5_000;

// A row that was erased meanwhile has only empty cells. A client that a row was recognised as is claimed by its copy.
const copyRows = statement<{ last: number | null; copied: number }>(
  `with copied as (
     insert into import_row (import_id, line, cells, email_mark, reference_mark, lead_mark, record_id, outcome, message)
     select $2, line, cells, email_mark, reference_mark, lead_mark, case when outcome = 'existing' then record_id end,
            case when is_erased then 'refused' when outcome = 'not_paid' then outcome end, case when is_erased then 'erased' end
     from (
       select *, not exists (select from jsonb_array_elements_text(cells) as cell where cell <> '') as is_erased
       from import_row where import_id = $1 and line > $3 order by line limit ${rowsPerStatement}
     ) dry_run
     returning line
   )
   select max(line) as last, count(*)::int as copied from copied`,
);

const copyAll = async (on: PoolClient, dryRunId: number, id: number): Promise<number> => {
  let rows = 0;
  for (let after = 0; ; ) {
    const [slice] = await copyRows(on, [dryRunId, id, after]);
    rows += slice?.copied ?? 0;
    if (!slice || slice.last === null || slice.copied < rowsPerStatement) return rows;
    after = slice.last;
  }
};

interface DryRunToRegister {
  readonly id: number;
  readonly createdBy: string;
  /** Called in the transaction that begins the import. */
  readonly onBegun: (on: PoolClient, id: number) => Promise<void>;
}

/**
 * Begins an import of the rows of a dry run, as they are stored, in one transaction. Of concurrent calls one begins it.
 * The rows are recognised as those of the file: registering them and the file registers nothing twice.
 */
export const registerDryRun = (
  pool: Pool,
  mode: AccountMode,
  { id: dryRunId, createdBy, onBegun }: DryRunToRegister,
): Promise<DryRunRegistered> =>
  transaction(pool, async (on): Promise<DryRunRegistered> => {
    const key = [mode.accountId, mode.isTest, dryRunId];
    const [locked] = await lockDryRun(on, key);
    const [dryRun] = locked ? await readDryRun(on, key) : [];
    if (!dryRun) return { kind: 'unknown' };
    if (dryRun.registeredAs !== null) return { kind: 'registered', id: dryRun.registeredAs };
    if (dryRun.state !== 'done') return { kind: 'unfinished' };
    if (dryRun.created === 0) return { kind: 'nothing' };
    requireRoom(dryRun);
    const copied = await copyAll(on, dryRunId, dryRun.nextId);
    // its rows are being deleted, because it is old
    if (copied !== dryRun.rows) throw new Refusal('not-found.import');
    // not before: uploads of the account wait for their turn, and rows may take seconds
    await takeTurn(on, 'import upload', mode);
    const [begun] = await begin(on, [...key, dryRun.nextId, createdBy]);
    if (!begun) throw new Refusal('rate-limited.imports');
    await onBegun(on, begun.id);
    return { kind: 'begun', id: begun.id };
  });
