import { type Contacts, type Pool, type PoolClient, statement, transaction } from '@leadback/db';
import type { ErasureAsker, AccountId } from '@leadback/domain';
import { contactOfClient, personHashes } from '@leadback/domain/keys';
import { audit } from '../audit.ts';
import type { FoundPerson } from './find-person.ts';

interface ClientRow {
  readonly lead_reference: string;
  readonly contact: Buffer | null;
  readonly data_key: Buffer | null;
}

const readClients = statement<ClientRow>(
  `select l.reference as lead_reference, c.contact, a.data_key
   from client c join lead l on l.id = c.lead_id join account a on a.id = c.account_id
   where c.id = any($2) and c.account_id = $1`,
);

const readLeads = statement<{ reference: string }>('select reference from lead where id = any($2) and account_id = $1');

// what somebody else asked for stays so if a visitor asks again
const keep = statement(
  `insert into erased_key (account_id, hash, asked_by, erasure_id)
   select $1, hash, $3, $4 from unnest($2::text[]) hash order by hash
   on conflict (account_id, hash) do update
   set erased_at = excluded.erased_at,
       asked_by = case when excluded.asked_by = 'visitor' then erased_key.asked_by else excluded.asked_by end,
       erasure_id = case when excluded.asked_by = 'visitor' then erased_key.erasure_id else excluded.erasure_id end,
       allowed_at = case when excluded.asked_by = 'visitor' then erased_key.allowed_at end`,
);

const isKnown = <Value>(value: Value | null | undefined): value is Value => value != null;

/**
 * Keeps keyed hashes of a person who is about to be erased. By those of leads, one that is still buffered is recognised. By
 * those of emails and phone numbers, the account may refuse to register the person again: they are of what the advertiser
 * registered, or asked for. Nothing that a visitor typed is kept, because nobody has verified it, and a visitor's erasure
 * keeps the leads alone. Nothing is kept in a forgotten account, where no visitor is recorded any more.
 */
export const keepErasedKeys = async (
  on: PoolClient,
  contacts: Contacts,
  { accountId, clientIds, leadIds, emailKeys, leadReference }: FoundPerson,
  { id, askedBy }: { readonly id: string; readonly askedBy: ErasureAsker },
): Promise<void> => {
  const leads = await readLeads(on, [accountId, leadIds]);
  const leadReferences = [leadReference, ...leads.map(({ reference }) => reference)].filter(isKnown);
  const { keys } = (await contacts.ofAccounts(on, [accountId]))(accountId);
  if (!keys) return;
  if (askedBy === 'visitor') {
    await keep(on, [accountId, personHashes(keys, { leadReferences }), askedBy, id]);
    return;
  }
  const clients = await readClients(on, [accountId, clientIds]);
  const phones = clients.map(({ lead_reference: reference, contact, data_key: dataKey }) => {
    const owner = contactOfClient(accountId, reference);
    return contacts.decrypt({ accountId, owner, dataKey, contact }).phone;
  });
  const hashes = personHashes(keys, { emails: emailKeys, phoneNumbers: phones.filter(isKnown), leadReferences });
  await keep(on, [accountId, hashes, askedBy, id]);
};

/** An erased person that an account may register again; named by exactly one of the three. */
export interface PersonToAllow {
  readonly accountId: AccountId;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  /** As the refusal names it. */
  readonly erasureId?: string | undefined;
  /** For the audit log. */
  readonly actor: string;
}

// An erasure is of one person: all that it suppresses is allowed, so that the person is not refused by phone number after
// it was allowed by email.
const allow = statement<{ erasure_id: string }>(
  `update erased_key k set allowed_at = now()
   where k.account_id = $1 and k.allowed_at is null and k.asked_by <> 'visitor'
     and k.erasure_id in (
       select erasure_id from erased_key where account_id = $1 and hash = any($2)
       union select $3::text where $3::text is not null)
   returning k.erasure_id`,
);

/**
 * Lets an account register an erased person again, with an entry in the audit log for each erasure. Again, it changes
 * nothing. Returns the ids of these erasures.
 */
export const allowPerson = (
  on: Pool | PoolClient,
  contacts: Contacts,
  { accountId, email, phoneNumber, erasureId, actor }: PersonToAllow,
): Promise<string[]> =>
  transaction(on, async (tx) => {
    const { keys } = (await contacts.ofAccounts(tx, [accountId]))(accountId);
    const marks = {
      emails: email === undefined ? [] : [email],
      phoneNumbers: phoneNumber === undefined ? [] : [phoneNumber],
    };
    const rows = await allow(tx, [accountId, keys ? personHashes(keys, marks) : [], erasureId ?? null]);
    const ids = [...new Set(rows.map((row) => row.erasure_id))].toSorted();
    for (const id of ids) await audit(tx, { actor, action: 'client.allow', accountId, target: `erasure ${id}` });
    return ids;
  });
