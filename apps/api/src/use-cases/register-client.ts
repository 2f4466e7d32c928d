import { setTimeout as pause } from 'node:timers/promises';
import { clientRegistrar, type Database, leadUnnoticedMs } from '@leadback/db';
import { type AccountMode, emailKey, isGenuineLeadReference, type Keys, Refusal } from '@leadback/domain';
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
  /** Of the lead of a new client, where that is traced. */
  readonly traceParent: string | undefined;
  /** Done by an earlier request with the same idempotency key. */
  readonly isRepeated: boolean;
}

export type RegisterClient = (
  mode: AccountMode,
  input: ClientInput,
  idempotencyKey?: string,
) => Promise<RegisteredClient>;

const lookAgainMs = 500;

/**
 * Registers a client of the account for a lead of the account, or finds the client that already has the external
 * reference. Throws `lead-unknown` for a reference that no lead of the account has, or `lead-pending` while it may yet
 * be written. A genuine reference of no lead at all is looked for until a landing app that holds it would have been
 * noticed: "unknown" is the end of it for the caller.
 */
export const registerClient = (pool: Database['pool'], referenceKeys: Keys): RegisterClient => {
  const register = clientRegistrar(pool);
  return async (mode, input, idempotencyKey) => {
    const client = { ...input, ...mode, emailKey: input.email === undefined ? undefined : emailKey(input.email) };
    for (const until = performance.now() + leadUnnoticedMs; ; await pause(lookAgainMs)) {
      const { result, isRepeated } = idempotentResult(await register({ item: client, idempotencyKey }));
      if ('id' in result) return { id: result.id, outcome: result.kind, traceParent: result.traceParent, isRepeated };
      if (!isGenuineLeadReference(referenceKeys, input.leadReference)) {
        throw new Refusal(
          'lead-unknown',
          'leadReference: not a reference that we issued; pass on the value of serviceId whole and unchanged',
        );
      }
      if (result.kind === 'lead-under-way') {
        throw new Refusal('lead-pending', 'leadReference: lead not available yet; retry after some seconds');
      }
      if (result.kind === 'lead-unknown' || performance.now() > until) {
        throw new Refusal('lead-unknown', 'leadReference: no lead of this account has this reference');
      }
    }
  };
};
