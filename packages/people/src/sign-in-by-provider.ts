import { LockMode } from '@mikro-orm/core';
import { emailKey } from '@leadback/domain';
import { type EntityManager, Person } from '@leadback/db';
import { audit } from './audit.ts';
import { startSession } from './sessions.ts';

interface Vouched {
  /** Which the provider has verified. */
  readonly email: string;
  /** The provider has checked a second factor. */
  readonly hasSecondFactor: boolean;
  readonly device: string | undefined;
}

type ProviderVerdict =
  | { readonly kind: 'right'; readonly token: string }
  | { readonly kind: 'code-needed'; readonly personId: number };

/**
 * Signs in a person for whom an identity provider vouches. Undefined unless the person was invited, has accepted, and is
 * not disabled.
 */
export const signInByProvider = (
  em: EntityManager,
  { email, hasSecondFactor, device }: Vouched,
): Promise<ProviderVerdict | undefined> =>
  em.transactional(async (tx): Promise<ProviderVerdict | undefined> => {
    const person = await tx.findOne(
      Person,
      { email: emailKey(email), disabledAt: null, passwordHash: { $ne: null } },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!person) return undefined;
    if (!hasSecondFactor) return { kind: 'code-needed', personId: person.id };
    const details = { by: 'provider' };
    await audit(tx, { actor: person.email, action: 'session.start', target: `person ${person.id}`, details });
    return { kind: 'right', token: startSession(tx, person, device) };
  });
