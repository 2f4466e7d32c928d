import { Feedback } from '@leadback/db';
import { feedbackStates } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { findAccount } from '../find-account.ts';
import { idSchema } from '../id-schema.ts';

const rowsMax = 1_000;

export const listFeedback = command({
  name: 'feedback list',
  summary: `list the deliveries of an account, newest first (at most ${rowsMax}); isTest marks tests`,
  options: [
    ['--account <id>', 'account of the deliveries'],
    ['--state <state>', feedbackStates.join(', ')],
    ['--conversion <id>', 'only deliveries of this conversion'],
  ],
  input: z.object({ account: idSchema, state: z.enum(feedbackStates).optional(), conversion: idSchema.optional() }),
  async run({ account, state, conversion }, { em }) {
    await findAccount(em, account);
    const feedback = await em.find(
      Feedback,
      { account, ...(state && { state }), ...(conversion && { conversion }) },
      { populate: ['connection', 'conversion'], orderBy: { id: 'desc' }, limit: rowsMax },
    );
    return feedback.map((row) => ({
      id: row.id,
      conversionId: row.conversion.id,
      isTest: row.conversion.$.isTest,
      connectionId: row.connection.id,
      platform: row.connection.$.platform,
      state: row.state,
      attempts: row.attempts,
      reason: row.reason,
      note: row.note,
      createdAt: row.createdAt,
      closedAt: row.closedAt,
    }));
  },
});
