import { setTimeout as pause } from 'node:timers/promises';
import { type AccountMode, Refusal, replayableOutcomes } from '@leadback/domain';
import { endpointWithParameters, nothing } from '@leadback/http';
import { z } from 'zod';
import { modeOf } from '../../authenticate.ts';
import type { ApiContext } from '../../context.ts';
import type { ReconciliationContext } from '../../reconciliation-context.ts';
import { recordId } from '../record-id.ts';
import { exampleReplay, replayBody, replayView } from './reconciliation-reply.ts';

// most replays are done by then, and the caller has nothing to poll
const waitMs = 1_500;
const pauseMs = 25;

/** Works on a replay for a moment, unless another instance does. Returns how far it is. */
const replayed = async ({ work, read }: ReconciliationContext, mode: AccountMode, id: number) => {
  for (const until = performance.now() + waitMs; ; ) {
    const slice = await work(id);
    const isLate = performance.now() > until;
    if (slice && !slice.isDone && !isLate) continue;
    const replay = (await read(mode, id))?.replay;
    if (!replay) throw new Refusal('not-found.reconciliation');
    if (replay.state !== 'running' || isLate) return replay;
    await pause(pauseMs);
  }
};

export const replayReconciliation = endpointWithParameters<ApiContext>()({
  method: 'post',
  path: '/reconciliation/:id/replay',
  subject: 'Reconciliation',
  summary: 'Register what is missing',
  description:
    'Registers the rows with the given outcomes that are not registered yet, each at its own `occurredAt`. Repeating it registers nothing twice. With `dryRun`, everything is tried and nothing is kept. If it is not done in a second, the response is 202, and `GET /reconciliation/{id}` shows its progress as `replay`.',
  input: z.object(
    {
      outcomes: z
        .array(z.enum(replayableOutcomes, `expected ${replayableOutcomes.join(' or ')}`), 'expected a list of outcomes')
        .min(1, 'must not be empty')
        .meta({ description: '`missingWithoutClient`: for clients that you registered after the comparison.' }),
      dryRun: z.boolean('expected true or false').default(false),
    },
    { error: 'expected a JSON object' },
  ),
  parameters: z.object({ id: recordId }),
  examples: { 'See first': { outcomes: ['missing'], dryRun: true }, Register: { outcomes: ['missing'] } },
  headers: nothing,
  replies: {
    200: { description: 'All rows are registered, or it has failed.', body: replayBody, example: exampleReplay },
    202: {
      description: 'It is in progress.',
      body: replayBody,
      example: { ...exampleReplay, state: 'running' },
    },
  },
  refusals: ['not-found.reconciliation', 'idempotency-in-progress.reconciliation'],
  async handle({ input: { outcomes, dryRun: isDryRun }, parameters: { id }, response }, { reconciliation, events }) {
    const mode = modeOf(response);
    const started = await reconciliation.startReplay(mode, { id, outcomes, isDryRun });
    const replay = await replayed(reconciliation, mode, id).catch((error: unknown) => {
      if (error instanceof Refusal) throw error;
      events.reconciliationFailed(error);
      return started; // it goes on, in the background
    });
    return { status: replay.state === 'running' ? 202 : 200, body: replayView(replay) };
  },
});
