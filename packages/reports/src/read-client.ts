import type { AccountMode } from '@leadback/domain';
import { type Contacts, type Pool, preparedStatement } from '@leadback/db';
import { clientContact, type StoredClientContact } from './stored-contact.ts';

interface ClientRecord {
  readonly id: number;
  readonly leadId: number;
  readonly leadReference: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly externalReference: string | null;
  readonly createdAt: Date;
}

const read = preparedStatement<ClientRecord & StoredClientContact>(
  'read-client',
  `select c.id, c.lead_id as "leadId", l.reference as "leadReference", c.name, c.email, c.phone_number as "phoneNumber", c.contact, a."dataKey",
          coalesce(c.external_reference, c.test_reference) as "externalReference", c.created_at as "createdAt"
   from client c
   cross join lateral (select reference from lead where id = c.lead_id and account_id = c.account_id limit 1) l
   cross join lateral (select data_key as "dataKey" from account where id = c.account_id limit 1) a
   where c.account_id = $1 and c.id = $2 and c.is_test = $3`,
);

/** Returns undefined if the account has no such client in this mode. */
export type ClientReader = (mode: AccountMode, id: number) => Promise<ClientRecord | undefined>;

export const clientReader =
  (pool: Pool, contacts: Contacts): ClientReader =>
  async ({ accountId, isTest }, id) => {
    const [client] = await read(pool, [accountId, id, isTest]);
    if (!client) return undefined;
    const { contact: _, dataKey: __, ...record } = client;
    return { ...record, ...clientContact(client, { accountId, leadReference: client.leadReference }, contacts) };
  };
