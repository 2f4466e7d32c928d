import type { AccountMode } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import type { ClientRegistrarOptions } from '../register-client.ts';
import { type BatchOptions, batchRunner } from './batch-runner.ts';
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
  { referenceKeys, announce }: ClientRegistrarOptions,
): ClientBatchRegistrar => {
  const run = batchRunner(pool);
  return (mode, items, options, idempotencyKey) => {
    const keyOf = (index: number) =>
      idempotencyKey === undefined || options.isDryRun ? undefined : `${idempotencyKey} ${index}`;
    return run(items, options, {
      register: (on, group, start) =>
        registerClients(on, mode, group, { referenceKeys, keyOf: (index) => keyOf(start + index) }),
      onCommit({ parcels }) {
        if (parcels.length > 0) announce(parcels);
      },
    });
  };
};
