import { type Contacts, type PoolClient, preparedStatement } from '@leadback/db';
import type { AccountId } from '@leadback/domain';
import { auditOn } from '@leadback/people';
import { personHashes } from '@leadback/secrets';

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
const allow = preparedStatement<{ erasure_id: string }>(
  'allow-erased-person',
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
export const allowPerson = async (
  on: PoolClient,
  { accountId, email, phoneNumber, erasureId, actor }: PersonToAllow,
  contacts: Contacts,
): Promise<string[]> => {
  const { keys } = (await contacts.ofAccounts(on, [accountId]))(accountId);
  const marks = {
    emails: email === undefined ? [] : [email],
    phoneNumbers: phoneNumber === undefined ? [] : [phoneNumber],
  };
  const rows = await allow(on, [accountId, keys ? personHashes(keys, marks) : [], erasureId ?? null]);
  const ids = [...new Set(rows.map((row) => row.erasure_id))].toSorted();
  for (const id of ids) await auditOn(on, { actor, action: 'client.allow', accountId, target: `erasure ${id}` });
  return ids;
};
