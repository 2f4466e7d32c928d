import { clientRegistrar, type Database } from '@leadback/db';
import { type AccountId, DomainError, emailKey, isGenuineLeadReference } from '@leadback/domain';

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
}

export type RegisterClient = (accountId: AccountId, input: ClientInput) => Promise<RegisteredClient>;

/**
 * Registers a client of the account for a lead of the account, or finds the client that already has the external
 * reference. Throws `lead-unknown` for a reference that no lead of the account has.
 */
export const registerClient = (pool: Database['pool'], referenceKey: Buffer): RegisterClient => {
  const register = clientRegistrar(pool);
  return async (accountId, input) => {
    const registration = await register({
      ...input,
      accountId,
      emailKey: input.email === undefined ? undefined : emailKey(input.email),
    });
    if (registration.kind !== 'lead-unknown') return { id: registration.id, outcome: registration.kind };
    throw new DomainError(
      'lead-unknown',
      isGenuineLeadReference(referenceKey, input.leadReference)
        ? 'leadReference: no lead of this account has this reference'
        : 'leadReference: not a reference that we issued; pass on the value of serviceId whole and unchanged',
    );
  };
};
