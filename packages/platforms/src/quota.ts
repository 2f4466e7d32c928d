/** How many requests a platform accepts per project of this installation, for all accounts together. */
export interface Quota {
  /** The same for all that share the quota. */
  readonly name: string;
  readonly perMinute: number;
  readonly perDay: number;
  /** The time zone in which the platform's day begins: an IANA name. */
  readonly timeZone: string;
}

/**
 * Waits for the next quota slot and takes it. Returns `undefined` then, or the milliseconds after which to retry if the
 * slot is too far ahead.
 */
export type TakeSlot = (quota: Quota) => Promise<number | undefined>;
