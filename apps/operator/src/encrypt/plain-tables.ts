import { emailKey } from '@leadback/domain';
import { type PoolClient, preparedStatement } from '@leadback/db';
import {
  type AccountKeys,
  contactOfClient,
  contactOfLead,
  contactOfReconciliationRow,
  encryptContact,
  lookupHash,
} from '@leadback/secrets';

/** The accounts whose rows are encrypted, with their keys. */
export type KeysOfAccounts = ReadonlyMap<number, AccountKeys>;

/** Rows of a table with contact data that is not encrypted. */
export interface PlainTable {
  readonly name: 'leads' | 'clients' | 'listedRows';
  /** The highest id, by which ranges of ids are read. */
  readonly lastId: string;
  /** Encrypts the rows with ids above `after` and up to `last`. Returns how many. Needs a transaction. */
  readonly encrypt: (
    on: PoolClient,
    range: readonly [after: number, last: number],
    keys: KeysOfAccounts,
  ) => Promise<number>;
}

const hex = (bytes: Buffer | undefined) => bytes && `\\x${bytes.toString('hex')}`;

interface PlainRow {
  readonly id: number;
  readonly account_id: number;
}

/** The keys of the row's account, of which there are some: the statement reads no rows of other accounts. */
const keysOf = ({ account_id: accountId }: PlainRow, keys: KeysOfAccounts): AccountKeys => {
  const found = keys.get(accountId);
  if (!found) throw new Error(`the key of account ${accountId} was not read`);
  return found;
};

// a client is inserted while its lead is locked like this
const lock = 'for no key update';

interface PlainLead extends PlainRow {
  readonly reference: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly ip_address: string | null;
}

const plainLeads = preparedStatement<PlainLead>(
  'find-plain-leads',
  `select id, account_id, reference, name, email, phone, ip_address from lead
   where id > $1 and id <= $2 and account_id = any($3) and contact is null
     and num_nonnulls(name, email, phone, ip_address) > 0 order by id ${lock}`,
);

const saveLeads = preparedStatement(
  'save-encrypted-leads',
  `update lead set contact = e.contact, email_hash = e.email_hash, name = null, email = null, phone = null, ip_address = null
   from json_to_recordset($1) as e (id bigint, contact bytea, email_hash text) where lead.id = e.id`,
);

const leads: PlainTable = {
  name: 'leads',
  lastId: 'select max(id) as last from lead',
  async encrypt(on, [after, last], keys) {
    const rows = await plainLeads(on, [after, last, [...keys.keys()]]);
    const encrypted = rows.map((row) => {
      const [ofAccount, { id, name, email, phone, ip_address: ipAddress }] = [keysOf(row, keys), row];
      const owner = contactOfLead(row.account_id, row.reference);
      const contact = hex(encryptContact(ofAccount, owner, { name, email, phone, ipAddress }));
      return { id, contact, email_hash: email === null ? null : lookupHash(ofAccount, 'email', emailKey(email)) };
    });
    if (encrypted.length > 0) await saveLeads(on, [JSON.stringify(encrypted)]);
    return encrypted.length;
  },
};

interface PlainClient extends PlainRow {
  readonly reference: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone_number: string | null;
}

const plainClients = preparedStatement<PlainClient>(
  'find-plain-clients',
  `select c.id, c.account_id, l.reference, c.name, c.email, c.phone_number from client c
   cross join lateral (select reference from lead where id = c.lead_id limit 1) l
   where c.id > $1 and c.id <= $2 and c.account_id = any($3) and c.contact is null
     and num_nonnulls(c.name, c.email, c.phone_number) > 0 order by c.id ${lock} of c`,
);

const saveClients = preparedStatement(
  'save-encrypted-clients',
  `update client set contact = e.contact, name = null, email = null, phone_number = null,
     email_key = case when not is_test then e.email_hash end, test_email_key = case when is_test then e.email_hash end
   from json_to_recordset($1) as e (id bigint, contact bytea, email_hash text) where client.id = e.id`,
);

const clients: PlainTable = {
  name: 'clients',
  lastId: 'select max(id) as last from client',
  async encrypt(on, [after, last], keys) {
    const rows = await plainClients(on, [after, last, [...keys.keys()]]);
    const encrypted = rows.map((row) => {
      const [ofAccount, { id, name, email, phone_number: phone }] = [keysOf(row, keys), row];
      const contact = hex(
        encryptContact(ofAccount, contactOfClient(row.account_id, row.reference), { name, email, phone }),
      );
      return { id, contact, email_hash: email === null ? null : lookupHash(ofAccount, 'email', emailKey(email)) };
    });
    if (encrypted.length > 0) await saveClients(on, [JSON.stringify(encrypted)]);
    return encrypted.length;
  },
};

interface PlainListedRow extends PlainRow {
  readonly number: number;
  readonly email_key: string;
}

const listedRowsMax = 5_000;

const plainListedRows = preparedStatement<PlainListedRow>(
  'find-plain-listed-rows',
  `select r.reconciliation_id as id, r.account_id, r.number, r.email_key from reconciliation_row r
   where r.reconciliation_id > $1 and r.reconciliation_id <= $2 and r.account_id = any($3) and r.contact is null
     and r.email_key is not null order by r.reconciliation_id, r.number limit ${listedRowsMax} ${lock}`,
);

const saveListedRows = preparedStatement(
  'save-encrypted-listed-rows',
  `update reconciliation_row r set contact = e.contact, email_key = e.email_hash
   from json_to_recordset($1) as e (id bigint, number int, contact bytea, email_hash text)
   where r.reconciliation_id = e.id and r.number = e.number`,
);

const listedRows: PlainTable = {
  name: 'listedRows',
  lastId: 'select max(id) as last from reconciliation',
  async encrypt(on, [after, last], keys) {
    const rows = await plainListedRows(on, [after, last, [...keys.keys()]]);
    const encrypted = rows.map((row) => {
      const [ofAccount, { id, number, email_key: email }] = [keysOf(row, keys), row];
      const owner = contactOfReconciliationRow(row.account_id, id, number);
      const contact = hex(encryptContact(ofAccount, owner, { email }));
      return { id, number, contact, email_hash: lookupHash(ofAccount, 'email', email) };
    });
    if (encrypted.length > 0) await saveListedRows(on, [JSON.stringify(encrypted)]);
    const others = encrypted.length < listedRowsMax ? 0 : await listedRows.encrypt(on, [after, last], keys);
    return encrypted.length + others;
  },
};

/** Clients before lists: rows of a list find encrypted clients and those that are not. */
export const plainTables: readonly PlainTable[] = [leads, clients, listedRows];
