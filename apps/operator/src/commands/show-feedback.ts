import { Feedback, FeedbackAttempt } from '@leadback/db';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';

/** What a pending row waits for: a moment, or its connection. Parked rows have no moment ('infinity'). */
const dueOf = ({ state, dueAt }: Feedback) => {
  if (state !== 'pending') return { dueAt: null, waitsFor: null };
  const isParked = !Number.isFinite(dueAt.valueOf());
  return isParked ? { dueAt: null, waitsFor: 'its connection to be resumed' } : { dueAt, waitsFor: null };
};

export const showFeedback = command({
  name: 'feedback show',
  summary: 'one conversion at one platform: how it stands, and every attempt, oldest first',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em }) {
    const feedback = await em.findOne(Feedback, { id }, { populate: ['connection', 'conversion'] });
    if (!feedback) throw new OperatorError(`there is no feedback ${id}`);
    const { account } = feedback;
    const attempts = await em.find(FeedbackAttempt, { feedback, account }, { orderBy: { id: 'asc' } });
    return {
      id,
      accountId: account.id,
      conversionId: feedback.conversion.id,
      isTest: feedback.conversion.$.isTest,
      connectionId: feedback.connection.id,
      platform: feedback.connection.$.platform,
      connectionState: feedback.connection.$.state,
      state: feedback.state,
      reason: feedback.reason,
      note: feedback.note,
      ...dueOf(feedback),
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
