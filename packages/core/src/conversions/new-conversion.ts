import {
  type AccountMode,
  amountSchema,
  currencySchema,
  emailAddressSchema,
  emailKey,
  eventIdSchema,
  eventNameSchema,
  occurredAtSchema,
  optionalText,
  Refusal,
  requiredText,
} from '@leadback/domain';
import { z } from 'zod';
import type { InsertedConversion, NewConversion } from './insert-conversions.ts';

const referenceMeaning = 'Your own identifier for the conversion, such as an order number. Registered only once.';

/** A conversion as callers send it. */
export const conversionSchema = z
  .object(
    {
      amount: amountSchema.meta({ description: 'Value of the conversion, rounded half up to the cent.' }),
      currency: currencySchema.meta({ description: 'Upper case.' }),
      email: emailAddressSchema.meta({
        description: 'Email address of the client. If several clients have it, the newest is used.',
      }),
      clientExternalReference: optionalText(255).meta({
        description: 'The `externalReference` of the client. Takes precedence over `email`.',
      }),
      conversionExternalReference: optionalText(255).meta({
        description: referenceMeaning,
      }),
      occurredAt: occurredAtSchema.meta({
        description:
          'When the conversion occurred, if not now: RFC 3339 with an offset, at most 5 minutes ahead and 400 days ago. Each platform has its own age limit; an event that is too old for a platform is `skipped`.',
      }),
      eventId: eventIdSchema.meta({
        description:
          'The id that your pixel or tag sends for the same sale, so that platforms count it once. Default: your `conversionExternalReference`, otherwise a new id.',
      }),
      eventName: eventNameSchema.meta({
        description:
          'Your own name for this kind of conversion, such as `subscription`, if the platforms should tell it from others. The operator sets what each platform calls it; a name without a setting counts as an ordinary conversion.',
      }),
    },
    { error: 'expected a JSON object' },
  )
  .refine(({ email, clientExternalReference }) => email !== undefined || clientExternalReference !== undefined, {
    path: ['email'],
    message: 'email or clientExternalReference is needed to find the client',
    // reported together with errors in other fields, but not if one of the two was sent with an error
    when: ({ issues }) => issues.every(({ path: [field] = [] }) => field === 'amount' || field === 'currency'),
  });

/** A conversion that is sent with others: with a reference, it can be sent again safely. */
export const conversionItemSchema = conversionSchema.safeExtend({
  conversionExternalReference: requiredText(255).meta({ description: referenceMeaning }),
});

type Parsed = Readonly<z.infer<typeof conversionSchema>>;

export type ConversionInput = Pick<Parsed, 'amount' | 'currency'> & Partial<Parsed>;

export const newConversion = (
  mode: AccountMode,
  { email, conversionExternalReference, ...input }: ConversionInput,
): NewConversion => ({
  ...input,
  ...mode,
  emailKey: email === undefined ? undefined : emailKey(email),
  externalReference: conversionExternalReference,
});

type RefusedConversion = Exclude<InsertedConversion, { readonly kind: 'created' }>;

export const refusalOfConversion = (conversion: RefusedConversion): Refusal => {
  switch (conversion.kind) {
    case 'client-unknown':
      return new Refusal('client-unknown');
    case 'occurred-out-of-range':
      return new Refusal('invalid-fields.occurredAt');
    case 'repeated':
      return new Refusal('conversion-repeated', {
        conversionId: conversion.firstId,
        repeatedField: 'conversionExternalReference',
      });
    case 'event-repeated':
      return new Refusal('conversion-repeated.eventId', {
        conversionId: conversion.firstId,
        repeatedField: 'eventId',
      });
  }
};
