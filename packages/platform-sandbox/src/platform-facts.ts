/** What a platform counts of an event. */
export interface CountedEvent {
  /** Events with the same id are one conversion: the last one overwrites value and currency. */
  readonly id: string;
  readonly value?: number | undefined;
  readonly currency?: string | undefined;
}

/** What the page and the behaviours need to know about a platform. */
export interface PlatformFacts {
  readonly name: string;
  /** A CSS colour for the page of events; supports light and dark mode. */
  readonly color: string;
  /** Whether it reports the status of accepted requests later. */
  readonly reportsStatus: boolean;
  /** Of an accepted event. Missing: the sandbox does not say what the platform counts. */
  readonly countedAs?: (event: unknown) => CountedEvent;
}
