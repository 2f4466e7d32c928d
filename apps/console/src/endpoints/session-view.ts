import { seesAllAccounts } from '@leadback/domain';
import { type Session, steppedUpMs } from '@leadback/people';
import type { ConsoleContext } from '../context.ts';
import type { SessionReply } from '../contract/session.ts';
import { capabilitiesOf } from '../sessions/capabilities.ts';
import { csrfTokenOf } from '../sessions/same-origin.ts';

const until = (since: Date, ms: number): string | null => {
  const end = new Date(since.getTime() + ms);
  return end > new Date() ? end.toISOString() : null;
};

/** The reply that describes a session, or that there is none. */
export const describeSession = async (
  {
    visibleAccounts,
    hasPasskey,
    provider,
  }: Pick<ConsoleContext['sessions'], 'visibleAccounts' | 'hasPasskey' | 'provider'>,
  session: Session | undefined,
  token: string | undefined,
): Promise<SessionReply> => {
  const csrf = csrfTokenOf(token);
  if (!session) {
    return { csrf, person: null, provider, accounts: [], idleUntil: null, steppedUpUntil: null, guessedCodes: null };
  }
  const { person, steppedUpAt, idleUntil, guessedCodes } = session;
  return {
    csrf,
    person: {
      ...person,
      may: capabilitiesOf(person.role),
      seesAllAccounts: seesAllAccounts(person.role),
      hasPasskey: await hasPasskey(person),
    },
    provider,
    accounts: await visibleAccounts(person),
    idleUntil: idleUntil.toISOString(),
    steppedUpUntil: until(steppedUpAt, steppedUpMs),
    guessedCodes: guessedCodes && { count: guessedCodes.count, since: guessedCodes.since.toISOString() },
  };
};
