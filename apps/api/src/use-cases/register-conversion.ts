import { conversionRegistrar } from '@leadback/intake';
import type { Database } from '@leadback/db';
import { type AccountMode, type Currency, emailKey, type FeedbackToSend, Refusal } from '@leadback/domain';
import { idempotentResult } from './idempotent-result.ts';

export interface ConversionInput {
  readonly amount: string;
  readonly currency: Currency;
  readonly email?: string | undefined;
  readonly clientExternalReference?: string | undefined;
  readonly conversionExternalReference?: string | undefined;
  readonly eventId?: string | undefined;
  readonly occurredAt?: string | undefined;
}

export interface RegisteredConversion {
  readonly id: number;
  readonly leadId: number;
  /** Of the lead, if it is traced. */
  readonly traceParent: string | undefined;
  /** Committed with the conversion; to be published. */
  readonly feedback: readonly FeedbackToSend[];
  /** Whether an earlier request with the same idempotency key did it. */
  readonly isRepeated: boolean;
}

export type RegisterConversion = (
  mode: AccountMode,
  input: ConversionInput,
  idempotencyKey?: string,
) => Promise<RegisteredConversion>;

/**
 * Registers a conversion with one delivery per platform connection. Throws `client-unknown` if neither identifier
 * matches, `conversion-repeated` if the external reference or event id is already used, `invalid-fields` if the time
 * is out of range by the clock of the database.
 */
export const registerConversion = (pool: Database['pool']): RegisterConversion => {
  const register = conversionRegistrar(pool);
  return async (mode, { email, conversionExternalReference, ...input }, idempotencyKey) => {
    const conversion = {
      ...input,
      ...mode,
      emailKey: email === undefined ? undefined : emailKey(email),
      externalReference: conversionExternalReference,
    };
    const { result, isRepeated } = idempotentResult(await register({ item: conversion, idempotencyKey }));
    switch (result.kind) {
      case 'created': {
        const { id, leadId, traceParent, feedback } = result;
        return { id, leadId, traceParent, feedback: isRepeated ? [] : feedback, isRepeated };
      }
      case 'client-unknown':
        throw new Refusal('client-unknown');
      case 'occurred-out-of-range':
        throw new Refusal('invalid-fields.occurredAt');
      case 'repeated':
        throw new Refusal('conversion-repeated', { conversionId: result.firstId });
      case 'event-repeated':
        throw new Refusal('conversion-repeated.eventId', { conversionId: result.firstId });
    }
  };
};
