import type { DestinationName } from '@leadback/domain';
import type { Lane } from './lane.ts';

/** How many deliveries may be in memory, from their claim until they are settled. */
export interface HeldLimits {
  /** In the whole process. */
  readonly total: number;
  /** Of one platform, so that a slow one leaves room for the others. */
  readonly ofPlatform: number;
}

export interface Held {
  /** How many deliveries are in memory, or are being claimed. */
  count(): number;
  /** How many more deliveries may be claimed now for a lane, or for a connection without one. */
  room(lane: Pick<Lane, 'platform'> | undefined): number;
  /** Counts deliveries that are being claimed; less than zero: as settled, or as not claimed after all. */
  add(lane: Lane | undefined, deliveries: number): void;
}

export const defaultHeldLimits: HeldLimits = { total: 10_000, ofPlatform: 5_000 };

/** Counts the deliveries in memory. */
export const heldDeliveries = ({ total, ofPlatform }: HeldLimits): Held => {
  const heldOf = new Map<DestinationName, number>();
  let held = 0;
  return {
    count: () => held,
    room: (lane) =>
      Math.max(0, Math.min(total - held, lane === undefined ? total : ofPlatform - (heldOf.get(lane.platform) ?? 0))),
    add(lane, deliveries) {
      held += deliveries;
      if (lane === undefined) return;
      heldOf.set(lane.platform, (heldOf.get(lane.platform) ?? 0) + deliveries);
      lane.held += deliveries;
      lane.usedAt = performance.now();
    },
  };
};
