/** What the page and the behaviours need to know about a platform. */
export interface PlatformFacts {
  readonly name: string;
  /** A CSS colour for the page of events; supports light and dark mode. */
  readonly color: string;
  /** Whether it reports the status of accepted requests later. */
  readonly reportsStatus: boolean;
}
