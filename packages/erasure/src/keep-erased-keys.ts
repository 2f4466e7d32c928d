import { type Contacts, ensureAccountKey, type PoolClient, preparedStatement } from '@leadback/db';
import type { ErasureAsker } from '@leadback/domain';
import { contactOfClient, type Keys, personHashes } from '@leadback/secrets';
import type { FoundPerson } from './find-person.ts';

interface ClientRow {
  readonly lead_reference: string;
  readonly phone: string | null;
  readonly contact: Buffer | null;
  readonly data_key: Buffer | null;
}

const readClients = preparedStatement<ClientRow>(
  'read-what-erased-clients-are-recognised-by',
  `select l.reference as lead_reference, c.phone_number as phone, c.contact,
          case when c.contact is not null then (select data_key from account where id = $1) end as data_key
   from unnest($2::bigint[]) mine (id)
   cross join lateral (select * from client where id = mine.id and account_id + 0 = $1 limit 1) c
   cross join lateral (select reference from lead where id = c.lead_id and account_id + 0 = $1 limit 1) l`,
);

const readLeads = preparedStatement<{ reference: string }>(
  'read-references-of-erased-leads',
  `select l.reference from unnest($2::bigint[]) mine (id)
   cross join lateral (select reference from lead where id = mine.id and account_id + 0 = $1 limit 1) l`,
);

// what somebody else asked for stays so if a visitor asks again
const keep = preparedStatement(
  'keep-erased-keys',
  `insert into erased_key (account_id, hash, asked_by, erasure_id)
   select $1, hash, $3, $4 from unnest($2::text[]) hash order by hash
   on conflict (account_id, hash) do update
   set erased_at = excluded.erased_at,
       asked_by = case when excluded.asked_by = 'visitor' then erased_key.asked_by else excluded.asked_by end,
       erasure_id = case when excluded.asked_by = 'visitor' then erased_key.erasure_id else excluded.erasure_id end,
       allowed_at = case when excluded.asked_by = 'visitor' then erased_key.allowed_at end`,
);

export interface ErasedKeysTools {
  readonly masterKeys: Keys;
  readonly contacts: Contacts;
}

const isKnown = <Value>(value: Value | null | undefined): value is Value => value != null;

/**
 * Keeps keyed hashes of a person who is about to be erased. By those of leads, one that is still buffered is recognised. By
 * those of emails and phone numbers, the account may refuse to register the person again: they are of what the advertiser
 * registered, or asked for. Nothing that a visitor typed is kept, because nobody has verified it, and a visitor's erasure
 * keeps the leads alone.
 */
export const keepErasedKeys = async (
  on: PoolClient,
  { accountId, clientIds, leadIds, emailKeys, leadReference }: FoundPerson,
  { id, askedBy }: { readonly id: string; readonly askedBy: ErasureAsker },
  { masterKeys, contacts }: ErasedKeysTools,
): Promise<void> => {
  const leads = await readLeads(on, [accountId, leadIds]);
  const leadReferences = [leadReference, ...leads.map(({ reference }) => reference)].filter(isKnown);
  const keys = await ensureAccountKey(on, masterKeys, accountId);
  if (askedBy === 'visitor') {
    await keep(on, [accountId, personHashes(keys, { leadReferences }), askedBy, id]);
    return;
  }
  const clients = await readClients(on, [accountId, clientIds]);
  const phones = clients.map(({ lead_reference: reference, phone, contact, data_key: dataKey }) => {
    if (contact === null) return phone;
    return contacts.decrypt({ accountId, owner: contactOfClient(accountId, reference), dataKey, contact }).phone;
  });
  const hashes = personHashes(keys, { emails: emailKeys, phoneNumbers: phones.filter(isKnown), leadReferences });
  await keep(on, [accountId, hashes, askedBy, id]);
};
