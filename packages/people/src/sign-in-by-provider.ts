import { LockMode } from '@mikro-orm/core';
import { type EntityManager, Person, PersonIdentity } from '@leadback/db';
import { audit } from './audit.ts';
import { personEmail } from './person-email.ts';
import { noteRefused } from './refused.ts';
import { startSession } from './sessions.ts';

/** As whom an identity provider knows a person. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface Vouched extends ProviderIdentity {
  /** Which the provider has verified. */
  readonly email: string;
  /** When the provider has checked two factors; undefined: it has not, or does not say when. */
  readonly secondFactorAt: Date | undefined;
  /** Whether the provider has checked two factors, at whatever time. */
  readonly hasSecondFactor: boolean;
}

type ProviderVerdict =
  | { readonly kind: 'right'; readonly token: string }
  | { readonly kind: 'locked'; readonly until: Date }
  /** `link`: what the code also confirms, that the person is the one whom the provider knows so. */
  | { readonly kind: 'code-needed'; readonly personId: number; readonly link: ProviderIdentity | undefined };

/**
 * Signs in a person for whom an identity provider vouches. Issuer and subject alone say who that is. The email finds a
 * person whom this provider does not know yet, and only a code of this person's authenticator app then links the two: an
 * email may have been given to a colleague. Undefined unless the person was invited, has accepted, and is not disabled.
 */
export const signInByProvider = (
  em: EntityManager,
  {
    issuer,
    subject,
    email,
    hasSecondFactor,
    secondFactorAt,
    device,
  }: Vouched & { readonly device: string | undefined },
): Promise<ProviderVerdict | undefined> =>
  em.transactional(async (tx): Promise<ProviderVerdict | undefined> => {
    const known = await tx.findOne(PersonIdentity, { issuer, subject });
    const written = personEmail(email);
    const byEmail = written === undefined ? null : await tx.findOne(Person, { email: written });
    const refuse = async (because: string): Promise<undefined> => {
      const target = byEmail ? `person ${byEmail.id}` : 'nobody';
      if (byEmail) await noteRefused(tx, byEmail.id, 'provider');
      await audit(tx, { actor: byEmail?.email ?? 'nobody', action: 'provider.refused', target, details: { because } });
      return undefined;
    };
    if (!known && written === undefined) return refuse('email-not-ascii');
    const personId = known?.person.id ?? byEmail?.id;
    if (personId === undefined) return undefined;
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const person = await tx.findOne(Person, { id: personId, disabledAt: null, passwordHash: { $ne: null } }, locked);
    if (!person) return undefined;
    if (!known && (await tx.findOne(PersonIdentity, { person, issuer }))) return refuse('another-subject');
    if (person.lockedUntil != null && person.lockedUntil > new Date()) {
      await noteRefused(tx, personId, 'provider');
      return { kind: 'locked', until: person.lockedUntil };
    }
    if (!known) return { kind: 'code-needed', personId, link: { issuer, subject } };
    if (!hasSecondFactor) return { kind: 'code-needed', personId, link: undefined };
    const details = { by: 'provider' };
    await audit(tx, { actor: person.email, action: 'session.start', target: `person ${person.id}`, details });
    return { kind: 'right', token: startSession(tx, person, device, secondFactorAt ?? new Date(0)) };
  });
