import type { AccountMode } from '@leadback/domain';
import type { Contacts, Pool } from '@leadback/db';
import type { NewParcel } from '../delivery/enqueue.ts';
import { insertConversions, insertedConversionSchema, type NewConversion } from './insert-conversions.ts';
import { type ConversionInput, newConversion, refusalOfConversion } from './new-conversion.ts';
import { onceEach } from '../once.ts';

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
  readonly contacts: Contacts;
  /** Called after each commit that created deliveries. Must not throw. */
  readonly announce: (parcels: readonly NewParcel[]) => void;
}

/**
 * Returns a function that registers a conversion with a delivery to each platform connection. The client is found by
 * external reference, else by email (the newest with that email); a test finds clients of tests only. Throws
 * `client-unknown` if neither matches, `conversion-repeated` if the external reference or the event id is used already
 * in the account and mode, also if both arrive at the same time, and `invalid-fields` if the time is out of range by
 * the clock of the database. A missing client is never stored for a repeated request: it may be registered later.
 */
export const conversionRegistrar = (
  pool: Pool,
  { contacts, announce }: ConversionRegistrarOptions,
): ConversionRegistrar => {
  const register = onceEach(pool, {
    route: ({ isTest }: NewConversion) => (isTest ? 'test conversion' : 'conversion'),
    fingerprinted: (conversion) => ({ ...conversion, isSecondTry: undefined }),
    async run(on, conversions, afterCommit) {
      const { inserted, parcels } = await insertConversions(on, conversions, contacts);
      if (parcels.length > 0) afterCommit(() => announce(parcels));
      return inserted;
    },
    schema: insertedConversionSchema,
    isFinal: ({ kind }) => kind === 'created' || kind === 'repeated' || kind === 'event-repeated',
    secondTry: (conversion) => ({ ...conversion, isSecondTry: true }),
    accept(conversion) {
      if (conversion.kind !== 'created') throw refusalOfConversion(conversion);
      return { id: conversion.id, leadId: conversion.leadId, traceParent: conversion.traceParent };
    },
  });
  return async (mode, input, idempotencyKey) => {
    const { result, isRepeated } = await register({ item: newConversion(mode, input), idempotencyKey });
    return { ...result, isRepeated };
  };
};
