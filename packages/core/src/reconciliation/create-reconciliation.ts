import { type AccountMode, Refusal } from '@leadback/domain';
import { type AccountContacts, type Contacts, type Pool, preparedStatement } from '@leadback/db';
import { contactOfReconciliationRow, encryptContact, lookupHash } from '@leadback/domain/keys';
import { byteaText } from '../bytea-text.ts';
import type { FileSender } from '../imports/file-sender.ts';
import { inTurn } from '../in-turn.ts';
import { deleteReconciliation } from './delete-reconciliation.ts';
import type { ListedRow } from './listed-conversion.ts';

/** `until` is not in it. ISO 8601. */
export interface TimeRange {
  readonly from: string;
  readonly until: string;
}

const openMax = 10;

const add = preparedStatement<{ id: number }>(
  'add-reconciliation',
  `insert into reconciliation (account_id, is_test, from_at, until_at, walked_at, file_name, created_by)
   select $1, $2, $3, $4, $3, $5, $6
   where (
     select count(*) from (
       select account_id, is_test from reconciliation where step <> 'receive' and worked_at < 'infinity'
       union all
       select account_id, is_test from reconciliation
       where step = 'receive' and worked_at < 'infinity' and finished_at is null
     ) open where account_id + 0 = $1 and is_test = $2
   ) < ${openMax}
   returning id`,
);

const addRows = preparedStatement<{ added: number }>(
  'add-reconciliation-rows',
  // with the lock, no row is added after the list was given up
  `with renewed as (
     update reconciliation set worked_at = clock_timestamp()
     where id = $1 and account_id + 0 = $2 and step is not distinct from 'receive' and finished_at is null
     returning 1
   ), added as (
     insert into reconciliation_row (reconciliation_id, account_id, number, is_refused, external_reference, amount,
                                     currency, client_external_reference, email_hash, contact, occurred_at, outcome,
                                     message)
     select $1, $2, $3 + place, message is not null, "externalReference", amount, currency, "clientExternalReference",
            "emailHash", contact, "occurredAt", case when message is not null then 'refused' end, message
     from rows from (json_to_recordset($4) as (
       "externalReference" text, amount numeric, currency text, "clientExternalReference" text, "emailHash" text,
       "occurredAt" timestamptz, message text, contact bytea)) with ordinality as
       row ("externalReference", amount, currency, "clientExternalReference", "emailHash", "occurredAt", message, contact,
            place)
     where exists (select from renewed)
     returning 1
   )
   select count(*) as added from added`,
);

const start = preparedStatement(
  'start-reconciliation',
  `update reconciliation
   set step = 'compare', rows = $3, worked_at = clock_timestamp(),
       counts = case when $4 > 0 then jsonb_build_object('refused', $4::int) else '{}' end
   where id = $1 and account_id + 0 = $2 and step is not distinct from 'receive' and finished_at is null
   returning id`,
);

const rowsMax = 2_000;

function* slicesOf(rows: readonly ListedRow[]) {
  for (let from = 0; from < rows.length; from += rowsMax) yield rows.slice(from, from + rowsMax);
}

interface Place {
  readonly accountId: number;
  readonly reconciliationId: number;
  /** The number of the row before. */
  readonly after: number;
}

type StoredRow = Omit<ListedRow, 'emailKey'> & {
  readonly emailHash?: string | undefined;
  readonly contact?: string | undefined;
};

const storedRows = (
  rows: readonly ListedRow[],
  { accountId, reconciliationId, after }: Place,
  { keys }: AccountContacts,
): readonly StoredRow[] =>
  rows.map(({ emailKey, ...row }, index) => {
    if (!keys || emailKey === undefined) return row;
    const owner = contactOfReconciliationRow(accountId, reconciliationId, after + index + 1);
    const contact = encryptContact(keys, owner, { email: emailKey });
    return { ...row, emailHash: lookupHash(keys, 'email', emailKey), contact: contact && byteaText(contact) };
  });

const tooLate = () => new Refusal('invalid-json.late');

/**
 * Stores a list, to be compared from then on. Returns its id. Throws `rate-limited` while ten lists are open, and
 * `invalid-json` if an hour goes by without a row.
 */
export type ReconciliationCreator = (
  mode: AccountMode,
  range: TimeRange,
  rows: AsyncIterable<readonly ListedRow[]>,
  sender?: FileSender,
) => Promise<number>;

/**
 * Stores a list slice by slice, each committed, because the sender may be slow. If it throws or the process ends, the
 * list is never compared, and is deleted at once or by `deleteCutOffList` later.
 */
export const reconciliationCreator =
  (pool: Pool, contacts: Contacts): ReconciliationCreator =>
  async (mode, { from, until }, lists, { fileName, createdBy, onBegun } = {}) => {
    const { accountId, isTest } = mode;
    const about = [accountId, isTest, from, until, fileName ?? null, createdBy ?? null];
    const added = await inTurn(pool, 'reconciliation upload', mode, async (on) => {
      const [list] = await add(on, about);
      if (!list) throw new Refusal('rate-limited.lists');
      await onBegun?.(on, list.id);
      return list;
    });
    let stored = 0;
    let refused = 0;
    try {
      for await (const list of lists) {
        for (const rows of slicesOf(list)) {
          const contactsOf = await contacts.ofAccounts(pool, [accountId]);
          const place = { accountId, reconciliationId: added.id, after: stored };
          const json = JSON.stringify(storedRows(rows, place, contactsOf(accountId)));
          const [found] = await addRows(pool, [added.id, accountId, stored, json]);
          if (found?.added !== rows.length) throw tooLate();
          stored += rows.length;
          refused += rows.filter(({ message }) => message !== undefined).length;
        }
      }
    } catch (error) {
      // if this fails as well, `deleteCutOffList` finds it later
      await deleteReconciliation(pool, added.id).catch(() => undefined);
      throw error;
    }
    const [started] = await start(pool, [added.id, accountId, stored, refused]);
    if (!started) throw tooLate();
    return added.id;
  };
