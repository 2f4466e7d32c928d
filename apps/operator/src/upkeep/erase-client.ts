import { emailKey } from '@leadback/domain';
import { type Pool, type PoolClient, inTransaction, preparedStatement } from '@leadback/db';
import { eraseImportedRows } from './erase-imported-rows.ts';
import { withoutPersonalData } from './personal-lead-data.ts';

/** How one account identifies a person. */
export interface PersonToErase {
  readonly accountId: number;
  readonly email?: string | undefined;
  /** Of a live client, a test client, or both. */
  readonly externalReference?: string | undefined;
}

export interface ErasedPerson {
  readonly clients: number;
  readonly leads: number;
  /** Emptied rows of imported files. */
  readonly importedRows: number;
  /** Kept: an amount, a day and the account's own number. */
  readonly conversions: number;
  /** Pending feedback of these clients, their conversions and adjustments; without personal data it will be skipped. */
  readonly pendingFeedback: number;
}

// a click belongs to one person, but a client whose email differs from the lead's is another person
const findClients = preparedStatement<{ id: number; lead_id: number; reference: string | null }>(
  'find-clients-to-erase',
  `select id, lead_id, coalesce(external_reference, test_reference) as reference from client
   where account_id = $1 and (email_key = $2 or test_email_key = $2 or external_reference = $3 or test_reference = $3
                              or lead_id = any($4) and email is null)
   order by id for update`,
);

// JavaScript compares letters beyond ASCII, independent of the database's locale
const findLeads = preparedStatement<{ id: number; email: string }>(
  'find-leads-to-erase',
  `select id, email from lead where account_id = $1 and (lower(btrim(email)) = $2 or email ~ '[^ -~]') order by id`,
);

// first: it finds the rows by what identifies the clients
const eraseListedRows = preparedStatement(
  'erase-rows-of-reconciliations',
  `with person as (
     select unnest(array[email_key, test_email_key]) as email_key,
            unnest(array[external_reference, test_reference]) as reference
     from client where account_id = $1 and id = any($2)
   )
   update reconciliation_row set email_key = null, client_external_reference = null
   where account_id = $1
     and (email_key = any(array(select email_key from person union select $3::text))
          or client_external_reference = any(array(select reference from person union select $4::text)))`,
);

const eraseClients = preparedStatement(
  'erase-clients',
  `update client set name = null, email = null, email_key = null, test_email_key = null, phone_number = null,
                     external_reference = null, test_reference = null
   where account_id = $1 and id = any($2)`,
);

const eraseLeads = preparedStatement<{ id: number }>(
  'erase-leads',
  `with mine as (select id from lead where account_id = $1 and id = any($2) order by id for update)
   update lead set ${withoutPersonalData} from mine where lead.id = mine.id returning lead.id`,
);

const countKept = preparedStatement<Pick<ErasedPerson, 'conversions' | 'pendingFeedback'>>(
  'count-what-an-erased-person-leaves',
  `with kept as (
     select id from conversion where account_id = $1 and client_id = any($2)
   )
   select (select count(*) from kept) as conversions,
          (select count(*) from kept cross join lateral (
             select from feedback where conversion_id = kept.id and account_id + 0 = $1 and state = 'pending'
             union all
             select from (select id from conversion_adjustment where conversion_id = kept.id and account_id + 0 = $1) a
             cross join lateral (
               select from feedback where adjustment_id = a.id and account_id + 0 = $1 and state = 'pending' offset 0) f
           ) pending)
          + (select count(*) from unnest($2::bigint[]) erased (id) cross join lateral (
               select from feedback where client_id = erased.id and account_id + 0 = $1 and state = 'pending' offset 0) f
          ) as "pendingFeedback"`,
);

const leadsWithEmail = async (on: PoolClient, accountId: number, email: string | undefined): Promise<number[]> => {
  if (email === undefined) return [];
  const key = emailKey(email);
  const candidates = await findLeads(on, [accountId, key]);
  return candidates.filter((lead) => emailKey(lead.email) === key).map(({ id }) => id);
};

/**
 * Erases the personal data of one person in an account, live and test: of clients with this email or reference, of
 * their leads, of leads with this email, of clients without an email that came from those leads, and of imported rows
 * and rows of reconciled lists that name any of them. Conversions are kept. Returns how much was erased.
 */
export const eraseClient = (
  pool: Pool,
  { accountId, email, externalReference }: PersonToErase,
): Promise<ErasedPerson> =>
  inTransaction(pool, async (on) => {
    const key = email === undefined ? null : emailKey(email);
    const theirLeads = await leadsWithEmail(on, accountId, email);
    const clients = await findClients(on, [accountId, key, externalReference ?? null, theirLeads]);
    const clientIds = clients.map(({ id }) => id);
    const leadIds = [...clients.map((client) => client.lead_id), ...theirLeads];
    await eraseListedRows(on, [accountId, clientIds, key, externalReference ?? null]);
    await eraseClients(on, [accountId, clientIds]);
    const leads = await eraseLeads(on, [accountId, leadIds]);
    const references = [externalReference, ...clients.map(({ reference }) => reference)].filter((one) => one != null);
    const importedRows = await eraseImportedRows(on, { accountId, email, references, clientIds });
    const [kept] = await countKept(on, [accountId, clientIds]);
    if (!kept) throw new Error('the erased conversions were not counted');
    return { clients: clients.length, leads: leads.length, importedRows, ...kept };
  });
