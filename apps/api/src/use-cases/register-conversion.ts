import { conversionRegistrar, type Database } from '@leadback/db';
import { type AccountId, type Currency, DomainError, emailKey, type FeedbackToSend } from '@leadback/domain';
import { firstAnswer } from './first-answer.ts';

export interface ConversionInput {
  readonly amount: string;
  readonly currency: Currency;
  readonly isTest: boolean;
  readonly email?: string | undefined;
  readonly clientExternalReference?: string | undefined;
  readonly conversionExternalReference?: string | undefined;
}

export interface RegisteredConversion {
  readonly id: number;
  readonly leadId: number;
  /** Of the lead, where that is traced. */
  readonly traceParent: string | undefined;
  /** Committed with the conversion, and to be published now. */
  readonly feedback: readonly FeedbackToSend[];
  /** Done by an earlier request with the same idempotency key. */
  readonly isRepeated: boolean;
}

export type RegisterConversion = (
  accountId: AccountId,
  input: ConversionInput,
  idempotencyKey?: string,
) => Promise<RegisteredConversion>;

/**
 * Registers a conversion of a client of the account, with one feedback row per platform connection. Throws
 * `client-unknown` where neither identifier matches, `conversion-repeated` for an external reference already used.
 */
export const registerConversion = (pool: Database['pool']): RegisterConversion => {
  const register = conversionRegistrar(pool);
  return async (accountId, { email, conversionExternalReference, ...input }, idempotencyKey) => {
    const conversion = {
      ...input,
      accountId,
      emailKey: email === undefined ? undefined : emailKey(email),
      externalReference: conversionExternalReference,
    };
    const { result, isRepeated } = firstAnswer(await register({ item: conversion, idempotencyKey }));
    switch (result.kind) {
      case 'created': {
        const { id, leadId, traceParent, feedback } = result;
        return { id, leadId, traceParent, feedback: isRepeated ? [] : feedback, isRepeated };
      }
      case 'client-unknown':
        throw new DomainError('client-unknown', 'no client matches clientExternalReference or email');
      case 'repeated':
        throw new DomainError(
          'conversion-repeated',
          'conversionExternalReference: a conversion with this reference already exists',
        );
    }
  };
};
