import type { Measure } from '../../../src/contract/reconciliations.ts';
import { oneOf } from '../../search-parameters.ts';

/** What needs attention first. */
export const outcomes = [
  'missing',
  'missingWithoutClient',
  'extra',
  'amountDiffers',
  'currencyDiffers',
  'undelivered',
  'duplicateInList',
  'refused',
  'matched',
] as const satisfies readonly Measure[];

export interface ReconciliationSearch {
  readonly outcome?: Measure | undefined;
}

export const parseReconciliationSearch = ({ outcome }: Readonly<Record<string, unknown>>): ReconciliationSearch => ({
  outcome: oneOf(outcomes, outcome),
});
