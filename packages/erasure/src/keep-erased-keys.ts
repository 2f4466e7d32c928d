import { type Contacts, ensureAccountKey, type PoolClient, preparedStatement } from '@leadback/db';
import { contactOfClient, contactOfLead, type Keys, personHashes } from '@leadback/secrets';
import type { FoundPerson } from './find-person.ts';

interface PersonRow {
  readonly kind: 'client' | 'lead';
  readonly lead_reference: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly contact: Buffer | null;
  readonly data_key: Buffer | null;
}

const read = preparedStatement<PersonRow>(
  'read-what-an-erased-person-is-recognised-by',
  `select p.*, case when p.contact is not null then (select data_key from account where id = $1) end as data_key
   from (
     select 'client' as kind, l.reference as lead_reference, c.email, c.phone_number as phone, c.contact
     from unnest($2::bigint[]) mine (id)
     cross join lateral (select * from client where id = mine.id and account_id + 0 = $1 limit 1) c
     cross join lateral (select reference from lead where id = c.lead_id and account_id + 0 = $1 limit 1) l
     union all
     select 'lead', l.reference, l.email, l.phone, l.contact
     from unnest($3::bigint[]) mine (id)
     cross join lateral (select * from lead where id = mine.id and account_id + 0 = $1 limit 1) l
   ) p`,
);

const keep = preparedStatement(
  'keep-erased-keys',
  `insert into erased_key (account_id, hash) select $1, hash from unnest($2::text[]) hash order by hash
   on conflict (account_id, hash) do update set erased_at = excluded.erased_at`,
);

export interface ErasedKeysTools {
  readonly masterKeys: Keys;
  readonly contacts: Contacts;
}

const isKnown = <Value>(value: Value | null | undefined): value is Value => value != null;

/**
 * Keeps keyed hashes of the emails, phone numbers and leads of a person who is about to be erased: of what was found
 * and what was asked for. By them a lead that is still buffered is recognised, and the account may refuse to register the
 * person again.
 */
export const keepErasedKeys = async (
  on: PoolClient,
  { accountId, clientIds, leadIds, emailKeys, leadReference }: FoundPerson,
  { masterKeys, contacts }: ErasedKeysTools,
): Promise<void> => {
  const rows = (await read(on, [accountId, clientIds, leadIds])).map((row) => {
    const { kind, lead_reference: reference, contact, data_key: dataKey } = row;
    if (contact === null) return { reference, kind, email: row.email, phone: row.phone };
    const owner = (kind === 'client' ? contactOfClient : contactOfLead)(accountId, reference);
    const { email, phone } = contacts.decrypt({ accountId, owner, dataKey, contact });
    return { reference, kind, email, phone };
  });
  const keys = await ensureAccountKey(on, masterKeys, accountId);
  const ownLeads = rows.filter(({ kind }) => kind === 'lead').map(({ reference }) => reference);
  const hashes = personHashes(keys, {
    emails: [...emailKeys, ...rows.map(({ email }) => email).filter(isKnown)],
    phoneNumbers: rows.map(({ phone }) => phone).filter(isKnown),
    leadReferences: [leadReference, ...ownLeads].filter(isKnown),
  });
  await keep(on, [accountId, hashes]);
};
