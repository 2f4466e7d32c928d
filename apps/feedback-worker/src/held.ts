import type { PlatformName } from '@leadback/domain';

/** How many deliveries may be in memory, from their claim until they are settled. */
export interface HeldLimits {
  /** In the whole process. */
  readonly total: number;
  /** Of one platform, so that a slow one leaves room for the others. */
  readonly ofPlatform: number;
}

export interface Held {
  /** How many more deliveries of a platform may be claimed now. */
  room(platform: PlatformName): number;
  /** How many more deliveries of any platform may be claimed now. */
  totalRoom(): number;
  /** Counts deliveries that are being claimed; less than zero: as settled, or as not claimed after all. */
  add(platform: PlatformName, deliveries: number): void;
}

export const defaultHeldLimits: HeldLimits = { total: 10_000, ofPlatform: 5_000 };

/** Counts the deliveries in memory. */
export const heldDeliveries = ({ total, ofPlatform }: HeldLimits = defaultHeldLimits): Held => {
  const heldOf = new Map<PlatformName, number>();
  let held = 0;
  return {
    totalRoom: () => total - held,
    room: (platform) => Math.max(0, Math.min(total - held, ofPlatform - (heldOf.get(platform) ?? 0))),
    add(platform, deliveries) {
      held += deliveries;
      heldOf.set(platform, (heldOf.get(platform) ?? 0) + deliveries);
    },
  };
};
