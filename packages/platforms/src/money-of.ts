import type { AttributedConversion, AttributedLead, Currency } from '@leadback/domain';
import { amountValue } from './amount-value.ts';

/** What an event is worth; `undefined` for a lead, and if the amount is not a decimal. */
export const moneyOf = (
  event: AttributedConversion | AttributedLead,
): { readonly value: number; readonly currency: Currency } | undefined => {
  if (event.kind === 'lead') return undefined;
  const value = amountValue(event.amount);
  return value === undefined ? undefined : { value, currency: event.currency };
};
