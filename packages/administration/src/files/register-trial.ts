import type { AccountMode } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import { registerTrial as register, type TrialRegistered } from '@leadback/intake';
import { ActionRefused, auditOn, type RefusedBecause } from '@leadback/people';

const refusals = {
  unknown: ['not-found', 'there is no such dry run'],
  unfinished: ['conflict', 'the dry run is not done; wait until each row has an outcome'],
  nothing: ['conflict', 'the dry run would register nothing; correct the file, then send it again'],
} as const satisfies Readonly<
  Record<Exclude<TrialRegistered['kind'], 'begun' | 'registered'>, readonly [RefusedBecause, string]>
>;

/**
 * Registers the rows of a dry run, as they were sent: an api does it in the background. Returns the id of the import, the
 * same each time.
 */
export const registerTrial = async (
  pool: Pool,
  actor: string,
  mode: AccountMode,
  trialId: number,
): Promise<{ readonly id: number }> => {
  const { accountId } = mode;
  const outcome = await register(pool, mode, {
    id: trialId,
    createdBy: actor,
    onBegun: (on, id) => {
      const details = { dryRun: trialId };
      return auditOn(on, { actor, action: 'import.register', accountId, target: `import ${id}`, details });
    },
  });
  if ('id' in outcome) return { id: outcome.id };
  const [because, message] = refusals[outcome.kind];
  throw new ActionRefused(because, message);
};
