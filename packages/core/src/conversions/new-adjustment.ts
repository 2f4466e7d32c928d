import {
  type AccountMode,
  adjustmentKinds,
  amountSchema,
  occurredAtSchema,
  optionalText,
  Refusal,
} from '@leadback/domain';
import { z } from 'zod';
import type { InsertedAdjustment, NewAdjustment } from './insert-adjustments.ts';

const idExpected = 'expected a positive whole number';

const isNamed = ({
  conversionId,
  conversionExternalReference,
}: { [Name in 'conversionId' | 'conversionExternalReference']?: unknown }) =>
  conversionId !== undefined || conversionExternalReference !== undefined;

/** An adjustment as callers send it. */
export const adjustmentSchema = z
  .object(
    {
      conversionId: z
        .int(idExpected)
        .positive(idExpected)
        .nullish()
        .transform((id) => id ?? undefined)
        .meta({ description: 'The id of the conversion.' }),
      conversionExternalReference: optionalText(255).meta({
        description: 'Your own identifier of the conversion. Needed without `conversionId`; with it, both must match.',
      }),
      kind: z.enum(adjustmentKinds, `expected ${adjustmentKinds.join(' or ')}`).meta({
        description:
          '`restate`: the conversion has another total. `retract`: it is taken back: its total is 0, and it takes no more adjustments.',
      }),
      amount: amountSchema
        .nullish()
        .transform((amount) => amount ?? undefined)
        .meta({ description: 'With `restate`: the new total, never a difference. Not with `retract`.' }),
      occurredAt: occurredAtSchema.meta({
        description:
          'When it was adjusted, if not now: RFC 3339 with an offset, at most 5 minutes ahead and 400 days ago, and not before the conversion.',
      }),
      adjustmentExternalReference: optionalText(255).meta({
        description:
          'Your own identifier for the adjustment, such as the number of a credit note. Registered only once.',
      }),
    },
    { error: 'expected a JSON object' },
  )
  .refine(isNamed, {
    path: ['conversionId'],
    message: 'conversionId or conversionExternalReference is needed to find the conversion',
  })
  .refine(({ kind, amount }) => kind !== 'restate' || amount !== undefined, {
    path: ['amount'],
    message: 'restate needs the new total',
  })
  .refine(({ kind, amount }) => kind !== 'retract' || amount === undefined, {
    path: ['amount'],
    message: 'retract takes no amount; it always means 0',
  });

type Parsed = Readonly<z.infer<typeof adjustmentSchema>>;

export type AdjustmentInput = Pick<Parsed, 'kind'> & Partial<Parsed>;

export const newAdjustment = (
  mode: AccountMode,
  { conversionExternalReference, adjustmentExternalReference, amount = '0', ...input }: AdjustmentInput,
): NewAdjustment => ({
  ...input,
  ...mode,
  amount,
  conversionReference: conversionExternalReference,
  externalReference: adjustmentExternalReference,
});

type RefusedAdjustment = Exclude<InsertedAdjustment, { readonly kind: 'created' }>;

export const refusalOfAdjustment = ({ kind }: RefusedAdjustment): Refusal => {
  switch (kind) {
    case 'conversion-unknown':
      return new Refusal('conversion-unknown.adjusted');
    case 'repeated':
      return new Refusal('adjustment-repeated');
    case 'retracted':
      return new Refusal('invalid-fields.retracted');
    case 'too-many':
      return new Refusal('invalid-fields.adjustments');
    case 'occurred-out-of-range':
      return new Refusal('invalid-fields.occurredAt');
    case 'occurred-before':
      return new Refusal('invalid-fields.occurredBefore');
  }
};
