import { Refusal } from '@leadback/domain';
import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import { recordId } from '../record-id.ts';
import { reconciliationBody, reconciliationView } from './reconciliation-reply.ts';

export const readReconciliation = endpoint<ApiContext>()({
  method: 'get',
  path: '/reconciliation/:id',
  subject: 'Reconciliation',
  summary: 'Read the result of a reconciliation',
  description:
    'Returns how many rows have each outcome. Each row of the list has one outcome; `undelivered` counts rows that are `matched` as well. Poll until `state` is `done`.',
  input: z.object({ id: recordId }),
  headers: nothing,
  replies: {
    200: {
      description: 'The reconciliation.',
      body: reconciliationBody,
      example: {
        id: 4,
        state: 'done',
        from: '2026-10-01T00:00:00.000Z',
        until: '2026-11-01T00:00:00.000Z',
        rows: 1204,
        done: 1204,
        counts: {
          matched: 1190,
          amountDiffers: 5,
          currencyDiffers: 0,
          duplicateInList: 1,
          missing: 3,
          missingWithoutClient: 5,
          extra: 2,
          undelivered: 11,
          refused: 0,
        },
        replay: null,
        createdAt: '2026-11-02T09:00:00.000Z',
        finishedAt: '2026-11-02T09:00:01.000Z',
      },
    },
  },
  refusals: ['not-found.reconciliation'],
  async handle({ input, response }, { reconciliation }) {
    const found = await reconciliation.read(modeOf(response), input.id);
    if (!found) throw new Refusal('not-found.reconciliation');
    return { status: 200, body: reconciliationView(found) };
  },
});
