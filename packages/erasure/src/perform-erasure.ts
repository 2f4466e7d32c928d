import type { AccountId, ErasureAsker, ErasureDecider, ErasureWay } from '@leadback/domain';
import { type Contacts, openContacts, type PoolClient, preparedStatement } from '@leadback/db';
import { accountMasterKeys, type Keys, type ReceiptSigner, receiptSigner, type SecretsKeys } from '@leadback/secrets';
import { decryptPending, encryptErased, type ErasedPerson, erasureKeys, type ErasureSubject } from './ask/subject.ts';
import { leaveClientsToAccount, leaveToAccount } from './ask/asked-erasures.ts';
import { erasePerson } from './erase-person.ts';
import type { PersonToErase } from './find-person.ts';
import { type ProvenLead, proveLead } from './prove-lead.ts';

/** A pending erasure, locked by the transaction that performs it. */
export interface PendingErasure {
  readonly id: string;
  readonly accountId: AccountId;
  readonly askedBy: ErasureAsker;
  readonly actor: string;
  readonly isTest: boolean;
  /** Who decided, if a visitor asked without proving it all. */
  readonly confirmedBy: ErasureDecider | null;
  readonly way: ErasureWay | null;
  readonly network: string | null;
  readonly requestedAt: Date;
  readonly subject: Buffer;
  readonly hasWaitedForImports: boolean;
}

/** What a statement returns of one. */
export const pendingColumns = `id, account_id as "accountId", asked_by as "askedBy", actor, is_test as "isTest", confirmed_by as "confirmedBy", way, network,
          requested_at as "requestedAt", subject, requested_at < now() - interval '1 day' as "hasWaitedForImports"`;

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
  `update erasure
   set subject = $2, way = $3, failures = 0, due_at = clock_timestamp() + interval '1 minute', erased_at = clock_timestamp(),
       subject_hash = case when named_by = 'lead' then subject_hash end
   where id = $1 and state not in ('asked', 'done', 'failed', 'lapsed') returning id`,
);

/** Whom an erasure is about: who decides is the account, or the browser that proves to have left the lead. */
const whomOf = async (
  on: PoolClient,
  { accountId, askedBy, confirmedBy, isTest }: PendingErasure,
  { proof, ...subject }: ErasureSubject,
): Promise<PersonToErase | ProvenLead | undefined> => {
  if (askedBy !== 'visitor') return { accountId, decidedBy: askedBy, isTest, ...subject };
  const { leadReference } = subject;
  if (leadReference === undefined) throw new Error('visitors name leads');
  if (confirmedBy !== null) return { accountId, decidedBy: confirmedBy, leadReference };
  return proof === undefined ? undefined : proveLead(on, { accountId, leadReference, proof });
};

/**
 * Erases the person, in the transaction of `on`, which must have locked the erasure. What was erased takes the place of
 * the person: after the commit nobody can find the clients by it, and `completeErasure` counts what they leave. Does
 * nothing if it was erased before. Returns what was erased: nothing, if nobody was found. `asked`: a visitor without proof
 * asked, and the account decides.
 */
export const performErasure = async (
  on: PoolClient,
  erasure: PendingErasure,
  { keys, masterKeys, contacts }: ErasureTools,
): Promise<ErasedPerson | 'asked'> => {
  const { id, accountId, askedBy, confirmedBy, subject } = erasure;
  const pending = decryptPending(keys, accountId, subject);
  if ('erased' in pending) return pending.erased;
  const whom = await whomOf(on, erasure, pending.subject);
  const { leadReference = '' } = pending.subject;
  if (whom === undefined) {
    await leaveToAccount(on, keys, { id, accountId, leadReference });
    return 'asked';
  }
  const erased = await erasePerson(on, whom, erasure, { masterKeys, contacts });
  const way = askedBy === 'visitor' && confirmedBy === null ? 'cookie' : erasure.way;
  const kept = await keepErased(on, [id, encryptErased(keys, accountId, erased), way]);
  if (kept.length === 0) throw new Error('the erasure is not pending');
  if (erased.leavesClients) await leaveClientsToAccount(on, keys, { id, accountId, leadReference });
  return erased;
};
