import { inTransaction, type Pool } from '@leadback/db';
import { auditOn } from '../audit.ts';
import { type Accepted, findMissing } from './find-missing.ts';
import { idRanges } from './id-ranges.ts';

const actor = 'leadback';

const detailsOf = (lost: readonly Accepted[]) => {
  const idsOf = (kind: Accepted['kind']) => idRanges(lost.filter((one) => one.kind === kind).map(({ id }) => id));
  const times = lost.map(({ atMs }) => atMs).toSorted((a, b) => a - b);
  return {
    count: lost.length,
    clients: idsOf('client'),
    conversions: idsOf('conversion'),
    adjustments: idsOf('adjustment'),
    from: new Date(times[0] ?? 0),
    to: new Date(times.at(-1) ?? 0),
  };
};

/**
 * After a promotion to `server`: looks for what was accepted before, and adds what is missing to the audit log, for
 * `doctor`. Returns how many are missing.
 */
export const compareAccepted = async (pool: Pool, accepted: readonly Accepted[], server: string): Promise<number> => {
  const lost = await findMissing(pool, accepted);
  await inTransaction(pool, async (on) => {
    for (const [accountId, ofAccount] of Map.groupBy(lost, (one) => one.accountId)) {
      const details = { server, ...detailsOf(ofAccount) };
      await auditOn(on, { actor, action: 'registration.lose', accountId, target: `account ${accountId}`, details });
    }
    const details = { server, compared: accepted.length, lost: lost.length };
    await auditOn(on, { actor, action: 'registration.compare', target: 'database', details });
  });
  return lost.length;
};
