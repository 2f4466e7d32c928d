import type { AccountMode } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import type { ConversionRegistrarOptions } from '../conversions/register-conversion.ts';
import { type BatchOptions, batchRunner, type BatchRunnerOptions } from './batch-runner.ts';
import { type ConversionOutcome, registerConversions } from './register-conversions.ts';

export type ConversionBatchRegistrar = (
  mode: AccountMode,
  items: readonly unknown[],
  options: BatchOptions,
) => Promise<ConversionOutcome[]>;

/** Returns a function that registers conversions in groups; see `registerConversions`. */
export const conversionBatchRegistrar = (
  pool: Pool,
  { contacts, announce, ...options }: ConversionRegistrarOptions & BatchRunnerOptions,
): ConversionBatchRegistrar => {
  const run = batchRunner(pool, options);
  return (mode, items, { isDryRun }) => {
    const toRun = { accountId: mode.accountId, items, isDryRun };
    return run(toRun, {
      register: (on, group) => registerConversions(on, mode, group, contacts),
      onCommit({ parcels }) {
        if (parcels.length > 0) announce(parcels);
      },
    });
  };
};
