import { setTimeout as pause } from 'node:timers/promises';
import { type AccountMode, Refusal } from '@leadback/domain';
import type { Pool } from '@leadback/db';
import type { Keys } from '@leadback/domain/keys';
import { leadUnnoticedMs } from '../leads/landing-instances.ts';
import { type ClientInput, clientIdempotence, newClient, refusalOfClient } from './new-client.ts';
import { onceEach } from '../once.ts';
import type { ConversionRegistrarOptions } from '../conversions/register-conversion.ts';

export interface RegisteredClient {
  readonly id: number;
  readonly outcome: 'created' | 'known';
  /** Of the lead of a new client, if it is traced. */
  readonly traceParent: string | undefined;
  /** Whether an earlier request with the same idempotency key did it. */
  readonly isRepeated: boolean;
}

export type ClientRegistrar = (
  mode: AccountMode,
  input: ClientInput,
  idempotencyKey?: string,
) => Promise<RegisteredClient>;

export interface ClientRegistrarOptions extends ConversionRegistrarOptions {
  readonly referenceKeys: Keys;
}

const retryEveryMs = 500;

/**
 * Returns a function that registers a client for a lead of the account, with a delivery to each platform connection that
 * is told of leads, or finds the client of the same mode with the
 * same external reference (looked up before the lead, and not changed). Throws `lead-unknown` if no lead of the account
 * has the reference, or `lead-pending` while the lead may still be buffered. Retries a genuine reference without a lead
 * until a landing app that holds it would have been noticed: callers give up after `lead-unknown`. A missing lead is
 * never stored for a repeated request, because it may arrive later.
 */
export const clientRegistrar = (
  pool: Pool,
  { referenceKeys, contacts, announce }: ClientRegistrarOptions,
): ClientRegistrar => {
  const register = onceEach(pool, {
    ...clientIdempotence('client', contacts, announce),
    secondTry: (client) => ({ ...client, isSecondTry: true }),
    accept(client, item) {
      if ('id' in client) return client;
      const refusal = refusalOfClient(client, item, referenceKeys);
      if (refusal) throw refusal;
      return undefined;
    },
  });
  return async (mode, input, idempotencyKey) => {
    const item = newClient(mode, input);
    for (const until = performance.now() + leadUnnoticedMs; ; await pause(retryEveryMs)) {
      const { result: client, isRepeated } = await register({ item, idempotencyKey });
      if (client) return { id: client.id, outcome: client.kind, traceParent: client.traceParent, isRepeated };
      if (performance.now() > until) throw new Refusal('lead-unknown');
    }
  };
};
