import { type ReconciliationMeasure, reconciliationMeasures } from '@leadback/domain';
import type { ReconciliationCounts } from '@leadback/intake';
import type { Row } from '../command.ts';

const meanings: Readonly<Record<ReconciliationMeasure, string>> = {
  matched: 'registered alike',
  amountDiffers: 'registered with another amount',
  currencyDiffers: 'registered with another currency',
  duplicateInList: 'an earlier row of the list has the same reference',
  missing: 'not registered, client known: --replay registers them',
  missingWithoutClient: 'not registered, no such client',
  extra: 'registered in this range, but not in the list',
  undelivered: 'of the matched ones: not delivered to a platform',
  refused: 'a field of the row is invalid',
};

/** One line for each outcome that has rows. */
export const outcomeTable = (counts: ReconciliationCounts): readonly Row[] =>
  reconciliationMeasures
    .filter((measure) => counts[measure] > 0)
    .map((measure) => ({ outcome: measure, rows: counts[measure], meaning: meanings[measure] }));
