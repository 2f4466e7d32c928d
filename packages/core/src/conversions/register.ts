import {
  type AccountMode,
  amountWarnings,
  emailWarnings,
  amountSchema,
  currencySchema,
  consentSchema,
  consentWordsOf,
  contactEmailSchema,
  emailAddressOf,
  expectedEmailAddress,
  emailKeyIn,
  eventIdSchema,
  eventNameSchema,
  itemsSchema,
  currenciesMessage,
  occurredAtSchema,
  optionalLeadReferenceSchema,
  optionalReference,
  optionalText,
  phoneNumberSchema,
  Refusal,
  requiredReference,
  soldItemsOf,
  type Warning,
} from '@leadback/domain';
import { afterCommit, type Pool } from '@leadback/db';
import type { Keys } from '@leadback/domain/keys';
import { z } from 'zod';
import { transform } from 'zod/mini';
import { clientOrRefusal, newClient } from '../clients/register.ts';
import { saysAnything } from '../leads/consent.ts';
import type { RegistrarOptions } from '../registering.ts';
import { onceEach } from '../once.ts';
import { differsMessage } from './compare.ts';
import { insertConversions } from './buyers.ts';
import { insertedConversionSchema, type InsertedConversion, type NewConversion } from './insert.ts';

const identifying = 'clientExternalReference';
const referenceMeaning = 'Your own identifier for the conversion, such as an order number. Registered only once.';

/** A conversion as callers send it. */
export const conversionSchema = z
  .object(
    {
      amount: amountSchema.meta({
        description:
          'Value of the conversion, rounded half up to the minor unit of its currency: to the cent of USD and ARS.',
      }),
      currency: currencySchema.meta({
        description:
          'A code of ISO 4217, upper case. Your account takes USD and ARS, or those that your operator has set.',
      }),
      email: contactEmailSchema.meta({
        description: 'Email address of the client. If several clients have it, the newest is used.',
      }),
      clientExternalReference: optionalReference(255).meta({
        description: 'The `externalReference` of the client. Takes precedence over `email`.',
      }),
      leadReference: optionalLeadReferenceSchema.meta({
        description:
          'The value of `serviceId` of the buyer, if you have not registered the client. It is then registered with the sale, with the `email` or `clientExternalReference`. A known client gets it as one more click.',
      }),
      name: optionalText(200).meta({ description: 'Full name of the buyer; only with `leadReference`.' }),
      phoneNumber: phoneNumberSchema.meta({ description: 'Phone number of the buyer; only with `leadReference`.' }),
      conversionExternalReference: optionalReference(255).meta({
        description: referenceMeaning,
      }),
      occurredAt: occurredAtSchema.meta({
        description:
          'When the conversion occurred, if not now: RFC 3339 with an offset, at most 5 minutes ahead and 400 days ago. Each platform has its own age limit; an event that is too old for a platform is `skipped`.',
      }),
      eventId: eventIdSchema.meta({
        description:
          'The id that your pixel or tag sends for the same sale, so that platforms count it once. Default: your `conversionExternalReference`, otherwise a new id. If your account has a prefix for event ids, it is put in front.',
      }),
      eventName: eventNameSchema.meta({
        description:
          'Your own name for this kind of conversion, such as `subscription`, if the platforms should tell it from others. The operator sets what each platform calls it; a name without a setting counts as an ordinary conversion.',
      }),
      netAmount: amountSchema
        .nullish()
        .pipe(transform((amount: string | null | undefined) => amount ?? undefined))
        .meta({
          description:
            'The part of `amount` that you earn, such as your margin: in its currency, rounded as it is. One that is larger than `amount` is ignored, with a warning. Platforms whose connection your operator has set to it are told this value instead.',
        }),
      items: itemsSchema.meta({
        description:
          'What was sold, at most 100 products. Platforms that have a field for it are told of those with an `id`. Erased with the person.',
      }),
      consent: consentSchema.meta({
        description:
          'What the buyer told you, for this sale and all that was not sent yet of the client; as in `POST /client`. Of a sale with `occurredAt`, a consent counts from then.',
      }),
    },
    { error: 'expected a JSON object' },
  )
  .refine(({ email, clientExternalReference }) => email !== undefined || clientExternalReference !== undefined, {
    path: ['email'],
    message: 'email or clientExternalReference is needed to find the client',
    // reported together with errors in other fields, but not if one of the two was sent with an error
    when: ({ issues }) => issues.every(({ path: [field] = [] }) => field === 'amount' || field === 'currency'),
  })
  .refine(
    ({ email, clientExternalReference }) =>
      email === undefined || clientExternalReference !== undefined || emailAddressOf(email) !== undefined,
    {
      path: ['email'],
      message: expectedEmailAddress,
      // reported together with errors in other fields
      when: ({ issues }) =>
        issues.every(({ path: [field] = [] }) => field !== undefined && field !== 'email' && field !== identifying),
    },
  );

/** A conversion that is sent with others: with a reference, it can be sent again safely. */
export const conversionItemSchema = conversionSchema.safeExtend({
  conversionExternalReference: requiredReference(255).meta({ description: referenceMeaning }),
});

type Parsed = Readonly<z.infer<typeof conversionSchema>>;

type ConversionInput = Pick<Parsed, 'amount' | 'currency'> & Partial<Parsed>;

/** Nobody earns more than the amount; a sale is not lost for it. */
const isNetUsable = ({ amount, netAmount }: ConversionInput): boolean =>
  netAmount === undefined || Number(netAmount) <= Number(amount);

export const newConversion = (mode: AccountMode, sent: ConversionInput): NewConversion => {
  const { email, leadReference, name, phoneNumber, clientExternalReference: externalReference } = sent;
  const items = soldItemsOf(sent.items, sent.currency);
  return {
    accountId: mode.accountId,
    isTest: mode.isTest,
    clientExternalReference: externalReference,
    emailKey: email === undefined ? undefined : emailKeyIn(email),
    amount: sent.amount,
    currency: sent.currency,
    externalReference: sent.conversionExternalReference,
    eventId: sent.eventId,
    eventName: sent.eventName,
    occurredAt: sent.occurredAt,
    netAmount: isNetUsable(sent) ? sent.netAmount : undefined,
    items: items && JSON.stringify(items),
    ...consentWordsOf(sent.consent),
    buyer:
      leadReference === undefined
        ? undefined
        : newClient(mode, { leadReference, name, email, phoneNumber, externalReference }),
  };
};

/** What shows without the database. */
export const sentConversionWarnings = (input: ConversionInput): Warning[] => {
  const { amount, netAmount, items, currency } = input;
  const prices = (items ?? []).map(({ price }) => price ?? undefined);
  const found = [
    ...amountWarnings(amount, currency),
    ...(isNetUsable(input)
      ? amountWarnings(netAmount, currency, 'netAmount')
      : [{ code: 'not-usable', field: 'netAmount' } as const]),
    ...prices.flatMap((price) => amountWarnings(price, currency, 'items.price')).slice(0, 1),
    ...emailWarnings(input.email),
  ];
  if (input.conversionExternalReference === undefined) {
    found.unshift({ code: 'no-external-reference', field: 'conversionExternalReference' });
  }
  if (input.leadReference === undefined) {
    if (input.name !== undefined) found.push({ code: 'not-usable', field: 'name' });
    if (input.phoneNumber !== undefined) found.push({ code: 'not-usable', field: 'phoneNumber' });
  }
  return found;
};

type RefusedConversion = Exclude<InsertedConversion, { readonly kind: 'created' }>;

export const refusalOfConversion = (
  conversion: RefusedConversion,
  { buyer }: Pick<NewConversion, 'buyer'>,
  referenceKeys: Keys | undefined,
): Refusal => {
  switch (conversion.kind) {
    case 'buyer-refused': {
      // one text for leads of other accounts and for missing ones, or it would tell that another account has a lead
      const of = conversion.of.kind === 'lead-unknown' ? ({ kind: 'lead-missing' } as const) : conversion.of;
      const refusal = buyer && referenceKeys && clientOrRefusal(of, buyer, referenceKeys);
      return refusal instanceof Refusal ? refusal : new Refusal('lead-unknown.recent');
    }
    case 'client-unknown':
      return new Refusal('client-unknown');
    case 'occurred-out-of-range':
      return new Refusal('invalid-fields.occurredAt');
    case 'currency-not-allowed':
      return new Refusal('currency-not-allowed', { message: currenciesMessage(conversion.allowed) });
    case 'repeated':
      return conversion.differs.length === 0
        ? new Refusal('conversion-repeated', {
            conversionId: conversion.firstId,
            repeatedField: 'conversionExternalReference',
          })
        : new Refusal('conversion-differs', {
            conversionId: conversion.firstId,
            message: `${differsMessage(conversion.differs)}; if it is another sale, send a reference of its own`,
          });
    case 'event-repeated':
      return new Refusal('conversion-repeated.eventId', {
        conversionId: conversion.firstId,
        repeatedField: 'eventId',
      });
  }
};

/**
 * Holds the requests that wait to share a statement. Returns a function that registers a conversion with a delivery to each
 * platform connection. The client is found by external reference, else by email (the newest with that email); a test finds clients of tests only. Throws
 * `client-unknown` if neither matches, `conversion-repeated` or `conversion-differs` if the external reference or the event id is used already
 * in the account and mode, also if both arrive at the same time, and `invalid-fields` if the time is out of range by
 * the clock of the database. A missing client is never stored for a repeated request: it may be registered later.
 */
export const conversionRegistrar = (pool: Pool, { contacts, referenceKeys, announce }: RegistrarOptions) => {
  const register = onceEach(pool, {
    route: ({ isTest }: NewConversion) => (isTest ? 'test conversion' : 'conversion'),
    fingerprinted: ({ buyer, ...conversion }) => {
      const { leadReference, name, phoneNumber } = buyer ?? {};
      return { ...conversion, leadReference, name, phoneNumber, isSecondTry: undefined };
    },
    needsTransaction: (conversion) => conversion.buyer !== undefined || saysAnything(conversion),
    async run(on, conversions) {
      const { inserted, parcels } = await insertConversions(on, conversions, contacts);
      if (parcels.length > 0) afterCommit(on, () => announce(parcels));
      return inserted;
    },
    schema: insertedConversionSchema,
    isFinal: ({ kind }) => kind === 'created' || kind === 'repeated' || kind === 'event-repeated',
    secondTry: (conversion) => ({ ...conversion, isSecondTry: true }),
    accept(conversion, item) {
      if (conversion.kind !== 'created') throw refusalOfConversion(conversion, item, referenceKeys);
      const { id, leadId, traceParent, warnings = [] } = conversion;
      return { id, leadId, traceParent, warnings };
    },
  });
  return async (mode: AccountMode, input: ConversionInput, idempotencyKey?: string) => {
    const { result, isRepeated } = await register({ item: newConversion(mode, input), idempotencyKey });
    return { ...result, warnings: [...sentConversionWarnings(input), ...result.warnings], isRepeated };
  };
};
