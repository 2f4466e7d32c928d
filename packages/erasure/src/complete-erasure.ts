import { inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { auditOn } from '@leadback/people';
import { decryptPending } from './ask/subject.ts';
import { countKept } from './count-kept.ts';
import { eraseResponses } from './erase-responses.ts';
import { findToldPlatforms } from './find-told-platforms.ts';
import { type ErasureResult, makeReceipt } from './make-receipt.ts';
import { pendingColumns, type ErasureTools, type PendingErasure } from './perform-erasure.ts';

/** In the audit log. */
const erasureAction = 'client.erase';

const read = preparedStatement<PendingErasure>(
  'read-erasure-to-complete',
  `select ${pendingColumns}
   from erasure where id = $1 and state not in ('asked', 'done', 'failed', 'lapsed') for update`,
);

const readFacts = preparedStatement<{ installation: string; finishedAt: Date }>(
  'read-facts-of-a-receipt',
  'select id as installation, clock_timestamp() as "finishedAt" from installation',
);

const keepKey = preparedStatement(
  'keep-receipt-key',
  'insert into receipt_key (id, public_key) values ($1, $2) on conflict do nothing',
);

// `state = 'pending'` may read the index of what is pending instead
const finish = preparedStatement(
  'finish-erasure',
  `update erasure
   set state = 'done', subject = null, finished_at = $2, receipt = $3, signature = $4, key_id = $5
   where id = $1`,
);

/** Behind a pooler, the session has the settings of the other statements of the role. */
export const unhurried = 'set local statement_timeout = 0; set local lock_timeout = 0';

/**
 * Counts what erased clients leave, erases what platforms responded, signs the receipt and adds an audit entry that does
 * not name the person. In a transaction after that of the erasure, so that nothing that the account registers waits for
 * it. The receipt misses no delivery of before: their outcomes are committed by now, or they are still pending.
 * Undefined if another process has completed it.
 */
export const completeErasure = (
  pool: Pool,
  id: string,
  { keys, signer, backupsKeptDays }: ErasureTools,
): Promise<ErasureResult | undefined> =>
  inTransaction(pool, async (on) => {
    await on.query(unhurried);
    const [erasure] = await read(on, [id]);
    if (!erasure) return undefined;
    const { accountId, askedBy, actor, way, network } = erasure;
    const pending = decryptPending(keys, accountId, erasure.subject);
    if (!('erased' in pending)) throw new Error('the person is not erased yet');
    const { clientIds } = pending.erased;
    await eraseResponses(on, accountId, clientIds);
    const kept = await countKept(on, accountId, clientIds);
    // after what is pending was counted: a delivery that is made meanwhile is told twice, and not missed
    const platformsTold = await findToldPlatforms(on, accountId, clientIds);
    const result = { ...pending.erased, ...kept, platformsTold };
    const [facts] = await readFacts(on, []);
    if (!facts) throw new Error('the database has no installation');
    const receipt = makeReceipt(result, { ...erasure, ...facts, backupsKeptDays });
    const text = JSON.stringify(receipt);
    await keepKey(on, [signer.id, signer.publicKey]);
    await finish(on, [id, facts.finishedAt, text, signer.sign(text), signer.id]);
    const details = {
      ...receipt.erased,
      conversions: kept.conversions,
      pendingFeedback: kept.pendingFeedback,
      askedBy,
      ...(way && { way, network }),
    };
    await auditOn(on, { actor, action: erasureAction, accountId, target: `erasure ${id}`, details });
    return result;
  });
