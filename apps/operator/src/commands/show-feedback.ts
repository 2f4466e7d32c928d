import {
  type EntityManager,
  Feedback,
  FeedbackAttempt,
  FeedbackDue,
  Installation,
  type PlatformConnection,
} from '@leadback/db';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { noteOf } from '../note-of.ts';
import { OperatorError } from '../operator-error.ts';
import { subjectOf, withSubject } from '../delivery-subject.ts';
import { skipMeaning } from '../skip-meaning.ts';

/** When a pending delivery is due, or what it waits for. A claimed one is sent even if its connection is paused meanwhile. */
const dueOf = async (em: EntityManager, { state, parcelId }: Feedback, connection: PlatformConnection) => {
  if (state !== 'pending' || parcelId == null) return { dueAt: null, waitsFor: null };
  const parcel = await em.findOne(FeedbackDue, { id: parcelId, connectionId: connection.id });
  if (parcel?.phase === 'claimed' && parcel.notBefore > new Date()) {
    return { dueAt: null, waitsFor: 'a worker, which is sending it' };
  }
  if (connection.state !== 'active') return { dueAt: null, waitsFor: 'its connection to be resumed' };
  return { dueAt: parcel?.notBefore ?? null, waitsFor: null };
};

export const showFeedback = command({
  name: 'feedback show',
  summary: 'show one delivery, live or test: event id, state, and every attempt, oldest first',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, platforms }) {
    const feedback = await em.findOne(Feedback, { id }, { populate: ['connection', ...withSubject] });
    if (!feedback) throw new OperatorError(`there is no feedback ${id}`);
    const { account } = feedback;
    const { id: installationId } = await em.findOneOrFail(Installation, { isOnly: true });
    const attempts = await em.find(FeedbackAttempt, { feedback, account }, { orderBy: { id: 'asc' } });
    return {
      id,
      accountId: account.id,
      ...subjectOf(feedback, installationId),
      connectionId: feedback.connection.id,
      platform: feedback.connection.$.platform,
      connectionState: feedback.connection.$.state,
      state: feedback.state,
      reason: feedback.reason,
      meaning: skipMeaning(feedback.reason, platforms[feedback.connection.$.platform]),
      note: noteOf(feedback),
      ...(await dueOf(em, feedback, feedback.connection.$)),
      createdAt: feedback.createdAt,
      retriedSince: feedback.retriedSince,
      closedAt: feedback.closedAt,
      attempts: attempts.map(({ createdAt: at, outcome, reason, httpStatus, answer, durationMs, platformRequest }) => ({
        at,
        outcome,
        reason,
        httpStatus,
        answer,
        durationMs,
        platformRequest,
      })),
    };
  },
});
