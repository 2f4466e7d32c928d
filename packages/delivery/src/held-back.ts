import type { ClaimedAdjustmentDelivery, FormerSettings } from './claimed.ts';
import { type NextState, postponed, skipped } from './next-state.ts';

const shortestMs = 5_000;
const longestMs = 10 * 60_000;

/** The reason of an adjustment whose conversion the platform does not have. */
export const originalNotDelivered = 'original_not_delivered';
const originalUncertain = 'original_uncertain';
const originalSentElsewhere = 'original_sent_elsewhere';

/** The reasons of adjustments that were skipped because of their conversion: they follow it if that is retried. */
export const skippedForOriginal = [originalNotDelivered, originalUncertain, originalSentElsewhere] as const;

/** What an adjustment is at the platform of its connection. */
export interface AdjustingRules {
  /** Whether the last one counts. If not, each adds to those before, in any order. */
  readonly overwrite: boolean;
  /** Whether the platform reports later if it used an event. */
  readonly areConfirmed: boolean;
  /** Whether the conversion is not where the adjustment would go, if it was sent with these settings. */
  readonly wentElsewhere: (former: FormerSettings) => boolean;
}

/**
 * The next state of a delivery that must not be sent, because of what was told to its connection before or is told
 * after; undefined if it may be sent. The pauses grow with the time that it has waited.
 */
export const heldBack = (
  { others, createdAtMs }: Pick<ClaimedAdjustmentDelivery, 'others' | 'createdAtMs'>,
  atMs: number,
  { overwrite, areConfirmed, wentElsewhere }: AdjustingRules,
): NextState | undefined => {
  const { original, isOriginalConfirmed, formerSettings } = others;
  const pauseMs = Math.min(longestMs, Math.max(shortestMs, (atMs - createdAtMs) / 4));
  if (overwrite && others.isSuperseded) return skipped('superseded');
  if (original === 'pending') return postponed('original_pending', pauseMs);
  if (original === null) return skipped(originalUncertain);
  if (original !== 'delivered') return skipped(originalNotDelivered);
  if (others.isOriginalUnconfirmed) return postponed('original_unconfirmed', pauseMs);
  if (areConfirmed && isOriginalConfirmed !== true) return skipped(originalUncertain);
  if (formerSettings !== null && wentElsewhere(formerSettings)) return skipped(originalSentElsewhere);
  return overwrite && others.isAdjustmentOpen ? postponed('earlier_adjustment_pending', pauseMs) : undefined;
};
