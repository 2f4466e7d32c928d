import type { AccountId, ErasureAsker } from '@leadback/domain';
import { type Contacts, openContacts, type PoolClient, preparedStatement } from '@leadback/db';
import { auditOn } from '@leadback/people';
import { accountMasterKeys, type Keys, type ReceiptSigner, receiptSigner, type SecretsKeys } from '@leadback/secrets';
import { decryptSubject, erasureKeys } from './ask/subject.ts';
import { type ErasedPerson, erasePerson } from './erase-person.ts';
import { makeReceipt } from './make-receipt.ts';

/** In the audit log. */
const erasureAction = 'client.erase';

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

const readFacts = preparedStatement<{ installation: string; finishedAt: Date }>(
  'read-facts-of-a-receipt',
  'select id as installation, clock_timestamp() as "finishedAt" from installation',
);

const keepKey = preparedStatement(
  'keep-receipt-key',
  'insert into receipt_key (id, public_key) values ($1, $2) on conflict do nothing',
);

// `state = 'pending'` may read the index of what is pending instead
const finish = preparedStatement<{ id: string }>(
  'finish-erasure',
  `update erasure
   set state = 'done', subject = null, finished_at = $2, receipt = $3, signature = $4, key_id = $5
   where id = $1 and state not in ('done', 'failed') returning id`,
);

/**
 * Erases the person, signs the receipt and adds an audit entry that does not name the person, all in the transaction of
 * `on`, which must have locked the erasure. Returns what was erased: nothing, if nobody was found.
 */
export const performErasure = async (
  on: PoolClient,
  erasure: PendingErasure,
  { keys, signer, masterKeys, contacts, backupsKeptDays }: ErasureTools,
): Promise<ErasedPerson> => {
  const { id, accountId, actor, isTest } = erasure;
  const person = { accountId, isTest, ...decryptSubject(keys, accountId, erasure.subject) };
  const erased = await erasePerson(on, person, { masterKeys, contacts });
  const [facts] = await readFacts(on, []);
  if (!facts) throw new Error('the database has no installation');
  const receipt = makeReceipt(erased, { ...erasure, ...facts, backupsKeptDays });
  const text = JSON.stringify(receipt);
  await keepKey(on, [signer.id, signer.publicKey]);
  const finished = await finish(on, [id, facts.finishedAt, text, signer.sign(text), signer.id]);
  if (finished.length === 0) throw new Error('the erasure is not pending');
  const { clients, leads, importedRows, listedRows } = receipt.erased;
  const { conversions, pendingFeedback } = erased;
  const details = { clients, leads, importedRows, listedRows, conversions, pendingFeedback };
  await auditOn(on, { actor, action: erasureAction, accountId, target: `erasure ${id}`, details });
  return erased;
};
