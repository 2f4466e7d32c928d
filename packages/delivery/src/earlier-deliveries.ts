import type { ClaimedDelivery } from './claimed.ts';
import { type NextState, postponed, skipped } from './next-state.ts';

const shortestMs = 5_000;
const longestMs = 10 * 60_000;

/** The reason of an adjustment whose conversion the platform does not have. */
export const originalNotDelivered = 'original_not_delivered';

/**
 * The next state of a delivery that must not be sent, because of what was told to its connection before; undefined if it
 * may be sent. The pauses grow with the time that it has waited.
 */
export const heldBack = (
  { earlier, createdAtMs }: Pick<ClaimedDelivery, 'earlier' | 'createdAtMs'>,
  atMs: number,
): NextState | undefined => {
  if (earlier === undefined) return undefined;
  const pauseMs = Math.min(longestMs, Math.max(shortestMs, (atMs - createdAtMs) / 4));
  if (earlier.original === 'pending') return postponed('original_pending', pauseMs);
  if (earlier.original !== 'delivered') return skipped(originalNotDelivered);
  if (earlier.isOriginalUnconfirmed) return postponed('original_unconfirmed', pauseMs);
  return earlier.isAdjustmentOpen ? postponed('earlier_adjustment_pending', pauseMs) : undefined;
};
