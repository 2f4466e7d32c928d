import { byteaText, type Pool, statement, type AccountContacts, type ContactCipher } from '@leadback/db';
import {
  amountSchema,
  currencySchema,
  emailAddressSchema,
  emailKey,
  invalidFields,
  occurredAtSchema,
  optionalReference,
  requiredReference,
  strictSchema,
  type AccountMode,
  Refusal,
} from '@leadback/domain';
import { z } from 'zod';
import { contactOfReconciliationRow, encryptContact, lookupHash } from '@leadback/domain/keys';
import { fileLimits, type FileSender } from '../imports/store.ts';
import { inTurn } from '../work-queue.ts';
import { type CsvColumns, readCsv } from '../csv/read.ts';
import { type FileChoices, noCells, readingOf, readRow } from '../imports/reading.ts';
import { roundedIn } from '../registering.ts';
import { timesOf } from '../accounts/days.ts';

const rowsMax = 2_000;

// each slice of rows renews it
const cutOffAt = `clock_timestamp() + interval '1 hour'`;

const firstRow = statement<{ number: number }>(
  'select number from reconciliation_row where reconciliation_id = $1 and number > $2 order by number limit 1',
);

const deleteRows = statement(
  'delete from reconciliation_row where reconciliation_id = $1 and number > $2 and number <= $3',
);

// Waits for the statement that adds rows, if one does; no other follows. A list that is received is still found by
// `deleteCutOffList` then, if this process ends before all is deleted.
const close = statement(
  `update reconciliation
   set step = case when step = 'receive' then step end, finished_at = coalesce(finished_at, clock_timestamp()),
       due_at = ${cutOffAt}
   where id = $1`,
);

const deleteHeader = statement('delete from reconciliation where id = $1');

/** Deletes a reconciliation: ends the work on it, then deletes its rows slice by slice, then the rest. */
export const deleteReconciliation = async (pool: Pool, id: number): Promise<void> => {
  await close(pool, [id]);
  for (let after = 0; (await firstRow(pool, [id, after])).length > 0; after += rowsMax) {
    await deleteRows(pool, [id, after, after + rowsMax]);
  }
  await deleteHeader(pool, [id]);
};

const takeCutOff = statement<{ id: number }>(
  `update reconciliation set due_at = ${cutOffAt}
   where id = any(array(
     select id from reconciliation where step = 'receive' and due_at <= now() order by due_at limit 1
     for update skip locked))
   returning id`,
);

/** Deletes one list whose upload was cut off. Returns whether there was one. */
export const deleteCutOffList = async (pool: Pool): Promise<boolean> => {
  const [list] = await takeCutOff(pool, []);
  if (list) await deleteReconciliation(pool, list.id);
  return list !== undefined;
};

/** A row of a partner's list. Its time is checked when it is registered. */
export const listedConversionSchema = z.object(
  {
    conversionExternalReference: requiredReference(255).meta({
      description: 'Your identifier of the sale, as registered.',
    }),
    amount: amountSchema.meta({ description: 'What the sale is worth by your records now.' }),
    currency: currencySchema,
    clientExternalReference: optionalReference(255).meta({
      description: 'The `externalReference` of the client, to register the sale if it is missing.',
    }),
    email: emailAddressSchema.meta({ description: 'Email address of the client, for the same purpose.' }),
    occurredAt: occurredAtSchema.meta({ description: 'When the sale occurred, for the same purpose.' }),
  },
  { error: 'expected a JSON object' },
);

/** A row as it is stored. `message`: which field is invalid, if one is. */
export interface ListedRow {
  readonly externalReference?: string | undefined;
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly clientExternalReference?: string | undefined;
  readonly emailKey?: string | undefined;
  readonly occurredAt?: string | undefined;
  readonly message?: string | undefined;
}

const eachField = listedConversionSchema.partial();
type Fields = z.output<typeof eachField>;

const rowOf = ({ conversionExternalReference, email, ...same }: Fields): ListedRow => ({
  ...same,
  externalReference: conversionExternalReference,
  emailKey: email === undefined ? undefined : emailKey(email),
});

/** The names of the columns of a list. */
export const listColumnNames = listedConversionSchema.keyof().options;

const anyValues = z.object(Object.fromEntries(listColumnNames.map((name) => [name, z.unknown()])));
const namedFields = strictSchema(z.object({ items: z.array(anyValues.catch({})) }));

/** Throws `invalid-fields` with the unknown fields of items, the first ones. Values are not checked. */
export const refuseUnknownFields = (items: readonly unknown[]): void => {
  const { error } = namedFields.safeParse({ items });
  if (error) throw invalidFields(error);
};

const sentFields = z.record(z.string(), z.unknown());

/** The fields that are valid by themselves. */
const validFields = (item: unknown): Fields => {
  const sent = sentFields.safeParse(item).data ?? {};
  const each = listColumnNames.map((name): Fields => eachField.safeParse({ [name]: sent[name] }).data ?? {});
  return Object.assign({}, ...each);
};

/**
 * An invalid row keeps its valid fields: so its conversion is not taken for one that the list does not have, and the file
 * of its rows can be corrected.
 */
const listedRow = (item: unknown): ListedRow => {
  const { data, error } = listedConversionSchema.safeParse(item);
  if (!error) return rowOf(data);
  return { ...rowOf(validFields(item)), message: invalidFields(error, 'item').message };
};

const parsedAtOnce = 500;

/** Parses items, each by itself, part by part; other requests are served in between. */
export async function* listedItems(items: readonly unknown[]): AsyncGenerator<readonly ListedRow[]> {
  for (let from = 0; from < items.length; from += parsedAtOnce) {
    yield items.slice(from, from + parsedAtOnce).map((item) => listedRow(item));
  }
}

/** Days of the account, or times in ISO 8601. `to` is in it if it is a day. */
export interface ListedRange {
  readonly from: string;
  readonly to: string;
}

const openMax = 10;

const add = statement<{ id: number }>(
  `insert into reconciliation (account_id, is_test, from_at, until_at, walked_at, file_name, created_by, due_at)
   select $1, $2, $3, $4, $3, $5, $6, ${cutOffAt}
   where (
     select count(*) from reconciliation
     where account_id = $1 and is_test = $2 and step is not null and (step <> 'receive' or finished_at is null)
   ) < ${openMax}
   returning id`,
);

const addRows = statement<{ added: number }>(
  // with the lock, no row is added after the list was given up
  `with renewed as (
     update reconciliation set due_at = ${cutOffAt}
     where id = $1 and account_id = $2 and step = 'receive' and finished_at is null
     returning 1
   ), added as (
     insert into reconciliation_row (reconciliation_id, account_id, number, is_refused, external_reference, amount,
                                     currency, client_external_reference, email_hash, contact, occurred_at, outcome,
                                     message)
     select $1, $2, $3 + place, message is not null, "externalReference", ${roundedIn('currency', 'amount')}, currency, "clientExternalReference",
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

const start = statement(
  `update reconciliation
   set step = 'compare', rows = $3, due_at = clock_timestamp(),
       counts = case when $4 > 0 then jsonb_build_object('refused', $4::int) else '{}' end
   where id = $1 and account_id = $2 and step = 'receive' and finished_at is null
   returning id`,
);

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
  rows.map(({ emailKey: keyOfEmail, ...row }, index) => {
    if (!keys || keyOfEmail === undefined) return row;
    const owner = contactOfReconciliationRow(accountId, reconciliationId, after + index + 1);
    const contact = encryptContact(keys, owner, { email: keyOfEmail });
    return { ...row, emailHash: lookupHash(keys, 'email', keyOfEmail), contact: contact && byteaText(contact) };
  });

const tooLate = () => new Refusal('invalid-json.late');

export interface NewList extends AccountMode, FileSender {
  readonly range: ListedRange;
  /** Its rows, part by part. */
  readonly rows: AsyncIterable<readonly ListedRow[]>;
}

/**
 * Stores a list, to be compared from then on: slice by slice, each committed, because the sender may be slow. If it throws
 * or the process ends, the list is never compared, and is deleted at once or by `deleteCutOffList` later. Returns its id.
 * Throws `invalid-fields` if the range is empty, `rate-limited` while ten lists are open, and `invalid-json` if an hour goes by without a row.
 */
export const storeList = async (
  pool: Pool,
  contacts: ContactCipher,
  { accountId, isTest, range, rows: lists, fileName, createdBy, onBegun }: NewList,
): Promise<number> => {
  const { from, until } = await timesOf(pool, accountId, range);
  const about = [accountId, isTest, from, until, fileName ?? null, createdBy ?? null];
  const added = await inTurn(pool, 'reconciliation upload', { accountId, isTest }, async (on) => {
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

/** The columns that a file of rows has beside those of the list. */
export const rowResultColumns = [
  'outcome',
  'conversionId',
  'registeredAmount',
  'registeredCurrency',
  'undelivered',
  'message',
] as const;

const columns: CsvColumns = {
  known: listColumnNames,
  required: ['conversionExternalReference', 'amount', 'currency'],
  ignored: rowResultColumns,
};

/**
 * Reads a list in CSV or in a workbook, with what was chosen over what is found. Throws a `CsvProblem` if the header is wrong, and at the
 * first row that cannot be read.
 */
export async function* listedFile(
  bytes: AsyncIterable<Uint8Array>,
  choices: FileChoices = {},
): AsyncGenerator<readonly ListedRow[]> {
  using file = await readCsv(bytes, columns, fileLimits, { choices });
  const { slices, kind } = file;
  // rows are stored as they are read, before the others could say how the file is written
  const reading = { ...readingOf(noCells, choices, kind), until: new Date().toISOString() };
  const table = { columns: file.columns, reading };
  const read = (cells: readonly string[]): ListedRow => {
    const { item, problem } = readRow(cells, table);
    const row = listedRow(item);
    return problem === undefined ? row : { ...row, message: problem };
  };
  for await (const rows of slices) yield rows.filter(({ isUnpaid }) => !isUnpaid).map(({ cells }) => read(cells));
}
