import { ConversionAdjustment, type EntityManager, Feedback, Installation } from '@leadback/db';
import { feedbackStates } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '@leadback/administration';
import { idSchema } from '../id-schema.ts';
import { noteOf } from '../note-of.ts';
import { subjectOf, withSubject } from '../delivery-subject.ts';

const rowsMax = 1_000;

/** A condition on deliveries: they report this conversion or one of its adjustments. */
const ofConversion = async (em: EntityManager, account: number, conversion: number) => {
  const adjustments = await em.find(ConversionAdjustment, { account, conversion }, { fields: ['id'] });
  return { $or: [{ conversion }, { adjustment: { $in: adjustments.map(({ id }) => id) } }] };
};

export const listFeedback = command({
  name: 'feedback list',
  summary: `list the deliveries of an account, newest first (at most ${rowsMax}); isTest marks tests`,
  options: [
    ['--account <id>', 'account of the deliveries'],
    ['--state <state>', feedbackStates.join(', ')],
    ['--conversion <id>', 'only deliveries of this conversion and its adjustments'],
  ],
  columns: [
    'id',
    'event',
    'conversionId',
    'clientId',
    'isTest',
    'connectionId',
    'platform',
    'state',
    'attempts',
    'reason',
    'note',
    'createdAt',
    'closedAt',
  ],
  input: z.object({ account: idSchema, state: z.enum(feedbackStates).optional(), conversion: idSchema.optional() }),
  async run({ account, state, conversion }, { em }) {
    await findAccount(em, account);
    const feedback = await em.find(
      Feedback,
      { account, ...(state && { state }), ...(conversion && (await ofConversion(em, account, conversion))) },
      { populate: ['connection', ...withSubject], orderBy: { id: 'desc' }, limit: rowsMax },
    );
    const { id: installationId } = await em.findOneOrFail(Installation, { isOnly: true });
    return feedback.map((row) => {
      const { event, conversionId, clientId, isTest } = subjectOf(row, installationId);
      return {
        id: row.id,
        event,
        conversionId,
        clientId,
        isTest,
        connectionId: row.connection.id,
        platform: row.connection.$.platform,
        state: row.state,
        attempts: row.attempts,
        reason: row.reason,
        note: noteOf(row),
        createdAt: row.createdAt,
        closedAt: row.closedAt,
      };
    });
  },
});
