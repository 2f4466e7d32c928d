import { z } from 'zod';
import { type RefusalCode, refusalCodes, type Warning, warningSchema } from '@leadback/domain';
import { withoutInventedIds } from '@leadback/core/imports/work';

export const dryRunParameter = (description: string) =>
  z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .default('false')
    .transform((text) => text === 'true')
    .meta({ param: { description } });

const itemsMax = 500;
const expectedItems = { error: `expected a list of 1 to ${itemsMax} items` };
const expectedObject = { error: 'expected a JSON object' };

/** The items are parsed one by one, later. */
export const batchInput = z.object(
  { items: z.array(z.unknown(), expectedItems).min(1, expectedItems).max(itemsMax, expectedItems) },
  expectedObject,
);

/** `batchInput` with the schema of the items, for the documentation. */
export const documentedBatch = (item: z.ZodType, description: string) =>
  z.object({ items: z.array(item).min(1).max(itemsMax).meta({ description }) });

export const batchParameters = z.object({
  dryRun: dryRunParameter('`true` returns the outcomes and changes nothing. New records have no `id` then.'),
});

const itemWarning = warningSchema.meta({ id: 'Warning' });

/** The body of the response, with the possible outcomes and what they mean. */
export const batchReply = <const Outcome extends string>(outcomes: readonly Outcome[], meaning: string) =>
  z.object({
    results: z
      .array(
        z.object({
          index: z.int().meta({ description: 'Position of the item in the request, from 0.' }),
          outcome: z.enum(outcomes).meta({ description: meaning }),
          id: z.int().optional(),
          leadId: z.int().optional(),
          code: z.enum(refusalCodes).optional().meta({
            description: 'Only if `refused`: what `Leadback-Error` would be in response to a single request.',
          }),
          message: z.string().optional().meta({ description: 'Names the field and the problem.' }),
          warnings: z.array(itemWarning).optional().meta({
            description:
              'What was accepted, but not as sent: what `Leadback-Warning` would be in response to a single request. Absent if there is nothing.',
          }),
        }),
      )
      .meta({ description: 'One result per item, in the same order.' }),
    counts: z
      .object(Object.fromEntries(outcomes.map((outcome) => [outcome, z.int()])))
      .meta({ description: 'How many items have each outcome.' }),
    dryRun: z.boolean(),
  });

interface ItemOutcome<Outcome> {
  readonly outcome: Outcome;
  readonly id?: number | undefined;
  readonly leadId?: number;
  readonly code?: RefusalCode;
  readonly message?: string;
  readonly warnings?: readonly Warning[] | undefined;
}

export const batchBody = <Outcome extends string>(
  possible: readonly Outcome[],
  outcomes: readonly ItemOutcome<Outcome>[],
  dryRun: boolean,
) => {
  const told = dryRun ? withoutInventedIds(outcomes) : outcomes;
  return {
    results: told.map(({ outcome, id, leadId, code, message, warnings = [] }, index) => ({
      index,
      outcome,
      id,
      leadId,
      code,
      message,
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    })),
    counts: Object.fromEntries(possible.map((one) => [one, outcomes.filter(({ outcome }) => outcome === one).length])),
    dryRun,
  };
};
