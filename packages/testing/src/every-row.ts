import {
  contactOfClient,
  contactOfLead,
  contactOfReconciliationRow,
  type ContactOwner,
  decryptSourceContent,
} from '@leadback/domain/keys';
import { Client } from 'pg';
import type { TestDatabase } from './given-database.ts';
import { givenContacts } from './contexts.ts';

interface ContactRow {
  readonly accountId: number;
  readonly dataKey: Buffer | null;
  readonly contact: Buffer;
  /** Of the lead, or the lead of the client. */
  readonly reference: string;
  readonly reconciliationId: number;
  readonly number: number;
}

const ownerOf: Readonly<Record<string, (row: ContactRow) => ContactOwner>> = {
  lead: ({ accountId, reference }) => contactOfLead(accountId, reference),
  client: ({ accountId, reference }) => contactOfClient(accountId, reference),
  reconciliation_row: ({ accountId, reconciliationId, number }) =>
    contactOfReconciliationRow(accountId, reconciliationId, number),
};

const contactColumns = (table: string): string => `t.account_id::float8 as "accountId", t.contact,
  (select data_key from account where id = t.account_id) as "dataKey",
  ${table === 'reconciliation_row' ? `t.number, t.reconciliation_id::float8 as "reconciliationId"` : ''}
  ${table === 'lead' ? 't.reference' : ''}
  ${table === 'client' ? '(select reference from lead where id = t.lead_id) as reference' : ''}`;

interface MessageRow {
  readonly accountId: number;
  readonly sourceId: number;
  readonly key: string;
  readonly dataKey: Buffer;
  readonly content: Buffer;
}

/** What sources were sent, as it is written. */
const messagesIn = async (client: Client): Promise<string[]> => {
  const { openKey } = givenContacts();
  const { rows } = await client.query<MessageRow>(
    `select e.account_id::float8 as "accountId", e.source_id::float8 as "sourceId", e.key, e.content, a.data_key as "dataKey"
     from source_event e join account a on a.id = e.account_id where e.content is not null and a.data_key is not null`,
  );
  return rows.map(({ content, dataKey, ...event }) =>
    JSON.stringify(decryptSourceContent(openKey(event.accountId, dataKey), event, content)),
  );
};

/**
 * Every row of a database as text, by table, with the contact data that are encrypted in it, and the messages of sources. Rows of partitions are listed
 * under their parent table.
 */
export const everyRow = async ({ url }: Pick<TestDatabase, 'url'>): Promise<ReadonlyMap<string, readonly string[]>> => {
  const contacts = givenContacts();
  const decrypted = (owner: (row: ContactRow) => ContactOwner, row: ContactRow): string => {
    try {
      return JSON.stringify(contacts.decrypt({ ...row, owner: owner(row) }));
    } catch {
      return ''; // the test uses another SECRETS_KEY
    }
  };
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const all = new Map<string, string[]>();
  for (const { name } of tables) {
    const owner = ownerOf[name];
    const { rows } = await client.query<{ text: string } & ContactRow>(
      `select t::text as text${owner ? `, ${contactColumns(name)}` : ''} from "${name}" t order by 1`,
    );
    all.set(
      name,
      rows.map(({ text, ...row }) => (owner ? `${text} ${decrypted(owner, row)}` : text)),
    );
  }
  all.set('messages of sources', await messagesIn(client));
  await client.end();
  return all;
};
