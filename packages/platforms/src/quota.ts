/** How many requests a platform takes of one project of ours, whichever accounts they are for. */
export interface Quota {
  /** The same for all who share it. */
  readonly name: string;
  readonly perMinute: number;
  readonly perDay: number;
  /** Where the platform's day begins: an IANA name. */
  readonly timeZone: string;
}

/**
 * Waits for the next turn and takes it. Gives `undefined` when it has come, or in how many milliseconds to ask again
 * where that is too long to wait.
 */
export type TakeSlot = (quota: Quota) => Promise<number | undefined>;
