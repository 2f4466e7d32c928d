import {
  type AccountMode,
  amountSchema,
  currencySchema,
  emailAddressSchema,
  emailKey,
  eventIdSchema,
  occurredAtSchema,
  optionalText,
  Refusal,
} from '@leadback/domain';
import type { Pool } from '@leadback/db';
import type { NewParcel } from '@leadback/delivery/enqueue';
import { z } from 'zod';
import {
  type InsertedConversion,
  insertConversions,
  insertedConversionSchema,
  type NewConversion,
} from './insert-conversions.ts';
import { onceEach } from './once-each.ts';

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
        description: 'Your own identifier for the conversion, such as an order number. Registered only once.',
      }),
      occurredAt: occurredAtSchema.meta({
        description:
          'When the conversion occurred, if not now: RFC 3339 with an offset, at most 5 minutes ahead and 400 days ago. Each platform has its own age limit; an event that is too old for a platform is `skipped`.',
      }),
      eventId: eventIdSchema.meta({
        description:
          'The id that your pixel or tag sends for the same sale, so that platforms count it once. Default: your `conversionExternalReference`, otherwise a new id.',
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

type Parsed = Readonly<z.infer<typeof conversionSchema>>;

export type ConversionInput = Pick<Parsed, 'amount' | 'currency'> & Partial<Parsed>;

export interface RegisteredConversion {
  readonly id: number;
  readonly leadId: number;
  /** Of the lead, if it is traced. */
  readonly traceParent: string | undefined;
  /** Whether an earlier request with the same idempotency key did it. */
  readonly isRepeated: boolean;
}

export type ConversionRegistrar = (
  mode: AccountMode,
  input: ConversionInput,
  idempotencyKey?: string,
) => Promise<RegisteredConversion>;

export interface ConversionRegistrarOptions {
  /** Called after each commit that created deliveries. Must not throw. */
  readonly announce: (parcels: readonly NewParcel[]) => void;
}

const accept = (conversion: InsertedConversion) => {
  switch (conversion.kind) {
    case 'created':
      return { id: conversion.id, leadId: conversion.leadId, traceParent: conversion.traceParent };
    case 'client-unknown':
      throw new Refusal('client-unknown');
    case 'occurred-out-of-range':
      throw new Refusal('invalid-fields.occurredAt');
    case 'repeated':
      throw new Refusal('conversion-repeated', { conversionId: conversion.firstId });
    case 'event-repeated':
      throw new Refusal('conversion-repeated.eventId', { conversionId: conversion.firstId });
  }
};

/**
 * Returns a function that registers a conversion with a delivery to each platform connection. The client is found by
 * external reference, else by email (the newest with that email); a test finds clients of tests only. Throws
 * `client-unknown` if neither matches, `conversion-repeated` if the external reference or the event id is used already
 * in the account and mode, also if both arrive at the same time, and `invalid-fields` if the time is out of range by
 * the clock of the database. A missing client is never stored for a repeated request: it may be registered later.
 */
export const conversionRegistrar = (pool: Pool, { announce }: ConversionRegistrarOptions): ConversionRegistrar => {
  const register = onceEach(pool, {
    route: ({ isTest }: NewConversion) => (isTest ? 'test conversion' : 'conversion'),
    fingerprinted: (conversion) => ({ ...conversion, isSecondTry: undefined }),
    async run(on, conversions, afterCommit) {
      const { inserted, parcels } = await insertConversions(on, conversions);
      if (parcels.length > 0) afterCommit(() => announce(parcels));
      return inserted;
    },
    schema: insertedConversionSchema,
    isFinal: ({ kind }) => kind === 'created' || kind === 'repeated' || kind === 'event-repeated',
    secondTry: (conversion) => ({ ...conversion, isSecondTry: true }),
    accept,
  });
  return async (mode, { email, conversionExternalReference, ...input }, idempotencyKey) => {
    const item = {
      ...input,
      ...mode,
      emailKey: email === undefined ? undefined : emailKey(email),
      externalReference: conversionExternalReference,
    };
    const { result, isRepeated } = await register({ item, idempotencyKey });
    return { ...result, isRepeated };
  };
};
