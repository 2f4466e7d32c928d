import { preparedStatement } from '@leadback/db';
import { type ChangeRoller, changeRoller } from './change-roller.ts';

// of a page and day
const defaultCampaignsMax = 200;

// Concurrent calls are safe: each takes rows of its own.
const rollUp = preparedStatement<{ rolled_up: number; first_id: number | null }>(
  'roll-up-metrics',
  'select rolled_up, first_id from roll_up_metrics($1, $2, $3)',
);

/**
 * Returns a function that adds changes to the metrics of their accounts. At most so many campaigns of a page and day are
 * counted by themselves; all others count as `(other)`.
 */
export const metricsRoller = (campaignsMax = defaultCampaignsMax): ChangeRoller =>
  changeRoller((on, values) => rollUp(on, [...values, campaignsMax]));
