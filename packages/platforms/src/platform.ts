import type { AttributedEvent, DeliverableEvent, MatchKeySet, Outcome } from '@leadback/domain';
import type { StoredSettings } from './named-settings.ts';

/** `body` is at most 2 KB, without secrets and personal data. */
export interface Answer {
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly body: string | null;
}

/** One event in a platform's own format. */
export type PlatformEvent = Readonly<Record<string, unknown>>;

export type Prepared =
  /** `keys`: by which the platform can match the event. `note`: what the platform is not told in full. */
  | { readonly kind: 'event'; readonly event: PlatformEvent; readonly keys: MatchKeySet; readonly note?: string }
  /** It occurs only later: to be prepared again after `inMs`. */
  | { readonly kind: 'early'; readonly inMs: number }
  /** There is nothing to send; not an error. */
  | { readonly kind: 'skipped'; readonly reason: string };

/** test: the platform only validates the event or shows it separately, and does not count it. */
export type SendingMode = 'live' | 'test';

/** What a platform reported later about events that it had accepted. */
export interface Finding {
  /**
   * failed: it could not use them. too_old: it could not use them because they occurred too long ago. again: to be sent
   * again after a pause. refused: it uses no event of this connection until the operator fixes it. settings: it did not
   * use them because of the account's settings, but may use others. warning: it used them nevertheless.
   */
  readonly meaning: 'failed' | 'too_old' | 'again' | 'refused' | 'settings' | 'warning';
  readonly reason: string;
  /** How many; the platform does not name them. */
  readonly events: number | 'all' | 'some';
  readonly pauseMs?: number;
}

/** The status of a request that the platform accepted. */
export type RequestStatus =
  /** `events`: the number of events in the request; 0 if the platform does not report it. */
  | { readonly kind: 'final'; readonly events: number; readonly findings: readonly Finding[] }
  | { readonly kind: 'processing' }
  /** Could not be retrieved now. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly retryAfterMs?: number };

/** One account's access to a platform. */
export interface PlatformAccess {
  /**
   * Builds the event, or returns the reason why there is nothing to send. The same input always gives the same
   * event. `atMs`: the current time by the caller's clock; events that are too old or early are found by it.
   */
  prepare(event: DeliverableEvent, atMs: number): Prepared;
  /** Missing: the platform is told of no adjustments. */
  readonly adjustments?: {
    /** See `AdjustmentDefinition`. */
    readonly overwrite: boolean;
    /** Whether the platform reports later if it used an event. */
    readonly areConfirmed: boolean;
    /** Whether the conversion of an event is not where the event goes, if it was sent with these settings, as stored. */
    wentElsewhere(event: AttributedEvent, former: StoredSettings): boolean;
  };
  /**
   * Waits for the next slot of the platform's quota and takes it, to be called before each `send`. Returns `undefined`
   * then, or the milliseconds after which to retry. Missing if the platform has no quota.
   */
  readonly takeSlot?: () => Promise<number | undefined>;
  /** Events for which it differs must be sent in different requests. Missing: all events may share one. */
  readonly requestKeyOf?: ((event: PlatformEvent) => string) | undefined;
  /**
   * Sends 1 to `limits.eventsMax` events in one request. Never throws because of the network or the platform. A second
   * request, for example with a new access token, takes a quota slot of its own.
   */
  send(events: readonly PlatformEvent[]): Promise<Answer>;
  /**
   * Sends an event that the platform only validates or shows separately, to check whether live events would be accepted;
   * a platform without tests gets a live event that matches nobody. Takes a quota slot itself.
   */
  check(): Promise<Answer>;
  /**
   * Retrieves the status of a request, by the id that `delivered` returned. Takes a quota slot itself. Never throws
   * because of the network or the platform.
   */
  requestStatus?(request: string): Promise<RequestStatus>;
}
