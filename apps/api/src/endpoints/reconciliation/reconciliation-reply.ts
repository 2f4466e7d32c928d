import { platformNames, type ReconciliationMeasure } from '@leadback/domain';
import type { ReconciliationRecord } from '@leadback/intake';
import { z } from 'zod';

const time = z.iso.datetime();

const counts = z.object({
  matched: z.int(),
  amountDiffers: z.int(),
  currencyDiffers: z.int(),
  duplicateInList: z.int().meta({ description: 'An earlier row of the list has the same reference.' }),
  missing: z.int().meta({ description: 'Not registered, but the client is known: `replay` registers them.' }),
  missingWithoutClient: z.int().meta({ description: 'Not registered, and no client matches the row.' }),
  extra: z.int().meta({ description: 'Conversions of the range that are not in the list and not retracted.' }),
  undelivered: z.int().meta({ description: 'Of the matched ones: not delivered to at least one platform.' }),
  refused: z.int().meta({ description: 'A field of the row is invalid; `message` of the row names it.' }),
} satisfies Readonly<Record<ReconciliationMeasure, z.ZodType>>);

const failure = 'internal error; give support the id of the reconciliation';
const message = z.string().optional();

export const replayBody = z
  .object({
    state: z.enum(['running', 'done', 'failed']).meta({
      description: '`failed`: the next rows failed again and again; `counts` says what is done. It may be repeated.',
    }),
    dryRun: z.boolean(),
    counts: z.object({ created: z.int(), repeated: z.int(), differs: z.int(), refused: z.int() }).meta({
      description:
        'Rows so far. `repeated` and `differs`: registered since the comparison, alike or with another amount, currency or client.',
    }),
    tooOld: z.partialRecord(z.enum(platformNames), z.int()).meta({
      description:
        'Of the created ones: how many each platform of your account skips because they occurred too long ago.',
    }),
    withoutOccurredAt: z
      .int()
      .meta({ description: 'Of the created ones: without `occurredAt` in the list, so they count as of now.' }),
    message: message.meta({ description: 'Why it failed.' }),
  })
  .meta({ id: 'Replay' });

export const reconciliationBody = z
  .object({
    id: z.int(),
    state: z.enum(['pending', 'running', 'done', 'failed']).meta({
      description: '`failed`: the next rows failed again and again; `counts` says what is done. Send the list again.',
    }),
    from: time,
    until: time.meta({ description: 'Not in the range.' }),
    rows: z.int().meta({ description: 'Rows of the list.' }),
    done: z.int().meta({ description: 'Rows of the list that have been compared.' }),
    counts,
    replay: replayBody.nullable().meta({ description: 'The last replay; `null` if there was none.' }),
    message: message.meta({ description: 'Why it failed.' }),
    createdAt: time,
    finishedAt: time.nullable(),
  })
  .meta({ id: 'Reconciliation' });

type Replay = NonNullable<ReconciliationRecord['replay']>;

export const replayView = ({
  state,
  isDryRun,
  counts: so,
  tooOld,
  withoutTime,
}: Replay): z.infer<typeof replayBody> => ({
  state,
  dryRun: isDryRun,
  counts: so,
  tooOld,
  withoutOccurredAt: withoutTime,
  ...(state === 'failed' && { message: failure }),
});

export const reconciliationView = (found: ReconciliationRecord): z.infer<typeof reconciliationBody> => ({
  id: found.id,
  state: found.state,
  rows: found.rows,
  done: found.done,
  counts: found.counts,
  from: found.from.toISOString(),
  until: found.until.toISOString(),
  replay: found.replay && replayView(found.replay),
  ...(found.state === 'failed' && { message: failure }),
  createdAt: found.createdAt.toISOString(),
  finishedAt: found.finishedAt?.toISOString() ?? null,
});

export const exampleReplay = {
  state: 'done',
  dryRun: true,
  counts: { created: 3, repeated: 0, differs: 0, refused: 0 },
  tooOld: { meta: 2, google: 0 },
  withoutOccurredAt: 0,
} as const;
