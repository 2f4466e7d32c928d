import type { RegisteredConversion } from './api-types.ts';
import type { ApiReply } from './attempt.ts';
import { errorCodeOf } from './leadback-error.ts';
import { bodyOf, errorOf } from './reply.ts';

/** A new conversion, or, if `isRepeated`, the one that was registered before with the same reference or event id. */
export type ConversionResult =
  | (RegisteredConversion & { readonly isRepeated: false })
  | { readonly id: number; readonly leadId?: undefined; readonly isRepeated: true };

/**
 * A conversion that is registered already is a success: a job that runs again must not fail. But a conversion with a
 * reference of its own was registered only if it is the reference that is repeated: if the event id belongs to another sale, this throws.
 */
export const registeredConversion = (reply: ApiReply, hasOwnReference: boolean): ConversionResult => {
  if (errorCodeOf(reply.headers) !== 'conversion-repeated')
    return { ...bodyOf<RegisteredConversion>(reply), isRepeated: false };
  const error = errorOf(reply);
  const id = Number(reply.headers.get('leadback-conversion-id') ?? Number.NaN);
  const isSameSale = !hasOwnReference || reply.headers.get('leadback-repeated-field') === 'conversionExternalReference';
  if (Number.isNaN(id) || !isSameSale) throw error;
  return { id, isRepeated: true };
};
