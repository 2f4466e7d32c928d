import { setTimeout as pause } from 'node:timers/promises';
import { clientRegistrar, leadUnnoticedMs } from '@leadback/intake';
import type { Database } from '@leadback/db';
import { type AccountMode, emailKey, Refusal } from '@leadback/domain';
import { isGenuineLeadReference, type Keys } from '@leadback/secrets';
import { idempotentResult } from './idempotent-result.ts';

export interface ClientInput {
  readonly leadReference: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
  readonly externalReference?: string | undefined;
}

export interface RegisteredClient {
  readonly id: number;
  readonly outcome: 'created' | 'known';
  /** Of the lead of a new client, if it is traced. */
  readonly traceParent: string | undefined;
  /** Whether an earlier request with the same idempotency key did it. */
  readonly isRepeated: boolean;
}

export type RegisterClient = (
  mode: AccountMode,
  input: ClientInput,
  idempotencyKey?: string,
) => Promise<RegisteredClient>;

const retryEveryMs = 500;

/**
 * Registers a client for a lead of the account, or finds the client with the external reference. Throws `lead-unknown`
 * if no lead of the account has the reference, or `lead-pending` while the lead may still be buffered. Retries a
 * genuine reference without a lead until a landing app that holds it would have been noticed: callers give up after
 * `lead-unknown`.
 */
export const registerClient = (pool: Database['pool'], referenceKeys: Keys): RegisterClient => {
  const register = clientRegistrar(pool);
  return async (mode, input, idempotencyKey) => {
    const client = { ...input, ...mode, emailKey: input.email === undefined ? undefined : emailKey(input.email) };
    for (const until = performance.now() + leadUnnoticedMs; ; await pause(retryEveryMs)) {
      const { result, isRepeated } = idempotentResult(await register({ item: client, idempotencyKey }));
      if ('id' in result) return { id: result.id, outcome: result.kind, traceParent: result.traceParent, isRepeated };
      if (!isGenuineLeadReference(referenceKeys, input.leadReference)) {
        throw new Refusal('lead-unknown.damaged');
      }
      if (result.kind === 'lead-under-way') {
        throw new Refusal('lead-pending');
      }
      if (result.kind === 'lead-unknown' || performance.now() > until) {
        throw new Refusal('lead-unknown');
      }
    }
  };
};
