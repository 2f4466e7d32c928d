import type { AccountId, ErasureAsker } from '@leadback/domain';
import { type Contacts, openContacts, type PoolClient, preparedStatement } from '@leadback/db';
import { accountMasterKeys, type Keys, type ReceiptSigner, receiptSigner, type SecretsKeys } from '@leadback/secrets';
import { decryptPending, encryptErased, type ErasedPerson, erasureKeys } from './ask/subject.ts';
import { erasePerson } from './erase-person.ts';

/** A pending erasure, locked by the transaction that performs it. */
export interface PendingErasure {
  readonly id: string;
  readonly accountId: AccountId;
  readonly askedBy: ErasureAsker;
  readonly actor: string;
  readonly isTest: boolean;
  readonly requestedAt: Date;
  readonly subject: Buffer;
}

/** What a statement returns of one. */
export const pendingColumns = `id, account_id as "accountId", asked_by as "askedBy", actor, is_test as "isTest",
          requested_at as "requestedAt", subject`;

export interface ErasureTools {
  readonly keys: Keys;
  readonly signer: ReceiptSigner;
  readonly masterKeys: Keys;
  readonly contacts: Contacts;
  /** For how long backups may have what was erased. */
  readonly backupsKeptDays: number;
}

export const erasureTools = (secretsKeys: SecretsKeys, backupsKeptDays: number): ErasureTools => ({
  keys: erasureKeys(secretsKeys),
  signer: receiptSigner(secretsKeys),
  masterKeys: accountMasterKeys(secretsKeys),
  contacts: openContacts(secretsKeys),
  backupsKeptDays,
});

// due later: the process that has erased the person makes the receipt, and another one if it has died
const keepErased = preparedStatement<{ id: string }>(
  'keep-what-was-erased',
  `update erasure set subject = $2, failures = 0, due_at = clock_timestamp() + interval '1 minute'
   where id = $1 and state not in ('done', 'failed') returning id`,
);

/**
 * Erases the person, in the transaction of `on`, which must have locked the erasure. What was erased takes the place of
 * the person: after the commit nobody can find the clients by it, and `completeErasure` counts what they leave. Does
 * nothing if it was erased before. Returns what was erased: nothing, if nobody was found.
 */
export const performErasure = async (
  on: PoolClient,
  { id, accountId, isTest, subject }: PendingErasure,
  { keys, masterKeys, contacts }: ErasureTools,
): Promise<ErasedPerson> => {
  const pending = decryptPending(keys, accountId, subject);
  if ('erased' in pending) return pending.erased;
  const erased = await erasePerson(on, { accountId, isTest, ...pending.subject }, { masterKeys, contacts });
  const kept = await keepErased(on, [id, encryptErased(keys, accountId, erased)]);
  if (kept.length === 0) throw new Error('the erasure is not pending');
  return erased;
};
