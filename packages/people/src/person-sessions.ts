import { type EntityManager, PersonSession } from '@leadback/db';
import { ActionRefused } from './action-refused.ts';
import { audit } from './audit.ts';
import { type Session, sessionIdleMs } from './sessions.ts';

const listedMax = 50;

/** The sessions of a person that have not ended, last seen first; the first 50. */
export const listSessions = (em: EntityManager, { person }: Session): Promise<PersonSession[]> =>
  em.find(
    PersonSession,
    {
      person: person.id,
      expiresAt: { $gt: new Date() },
      seenAt: { $gt: new Date(Date.now() - sessionIdleMs) },
    },
    { orderBy: { seenAt: 'desc', id: 'desc' }, limit: listedMax },
  );

const audited = (tx: EntityManager, { person }: Session, ended: number) =>
  audit(tx, { actor: person.email, action: 'session.end', target: `person ${person.id}`, details: { ended } });

/** Ends another session of the same person. */
export const endSessionOf = (em: EntityManager, session: Session, id: number): Promise<void> =>
  em.transactional(async (tx) => {
    const ended = await tx.nativeDelete(PersonSession, { id, person: session.person.id });
    if (ended === 0) throw new ActionRefused('not-found', 'you have no such session; it may have ended already');
    await audited(tx, session, ended);
  });

/** Ends all sessions of the person but this one. Returns how many. */
export const endOtherSessions = (em: EntityManager, session: Session): Promise<number> =>
  em.transactional(async (tx) => {
    const ended = await tx.nativeDelete(PersonSession, { person: session.person.id, id: { $ne: session.id } });
    if (ended > 0) await audited(tx, session, ended);
    return ended;
  });
