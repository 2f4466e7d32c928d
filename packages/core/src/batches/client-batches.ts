import type { AccountMode } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import type { ClientRegistrarOptions } from '../clients/register-client.ts';
import { type BatchOptions, batchRunner, type BatchRunnerOptions } from './batch-runner.ts';
import { type ClientOutcome, registerClients } from './register-clients.ts';

export type ClientBatchRegistrar = (
  mode: AccountMode,
  items: readonly unknown[],
  options: BatchOptions,
  idempotencyKey?: string,
) => Promise<ClientOutcome[]>;

/**
 * Returns a function that registers clients in groups; see `registerClients`. With an idempotency key, each item has
 * its own: the key of the batch and its index.
 */
export const clientBatchRegistrar = (
  pool: Pool,
  { referenceKeys, contacts, announce, onRefused }: ClientRegistrarOptions & BatchRunnerOptions,
): ClientBatchRegistrar => {
  const run = batchRunner(pool, { onRefused });
  return (mode, items, { isDryRun }, idempotencyKey) => {
    const keyOf = (index: number) =>
      idempotencyKey === undefined || isDryRun ? undefined : `${idempotencyKey} ${index}`;
    const toRun = { accountId: mode.accountId, items, isDryRun };
    return run(toRun, {
      register: (on, group, start) =>
        registerClients(on, mode, group, { referenceKeys, contacts, keyOf: (index) => keyOf(start + index) }),
      onCommit({ parcels }) {
        if (parcels.length > 0) announce(parcels);
      },
    });
  };
};
