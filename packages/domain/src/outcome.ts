/** The reason of events that are too old for a platform, found before or after sending. */
export const eventTooOld = 'event_too_old';

/** The outcome of a request to a platform. The adapter reads the response, the worker acts on it. */
export type Outcome =
  /**
   * `request`: the platform's id of the request, if it reports a request status later. `events`: those of the request
   * that the platform did not accept; it accepted all others, which must not be sent again.
   */
  | { readonly kind: 'delivered'; readonly request?: string; readonly events?: readonly FailedEvent[] }
  /**
   * An event is invalid, or too old (`eventTooOld`); a retry would not help. The platform accepted no event of the
   * request. `events`: the invalid ones, if the platform names them.
   */
  | { readonly kind: 'rejected'; readonly reason: string; readonly events?: readonly WrongEvent[] }
  /** A temporary failure: a retry may succeed. `retryAfterMs`: requested by the platform. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number }
  /** The platform throttles; nothing is wrong. */
  | { readonly kind: 'throttled'; readonly reason: string; readonly retryAfterMs?: number }
  /**
   * The connection is rejected (credentials or configuration): nothing of it is accepted until an operator fixes it.
   */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing was sent: no capacity yet. */
  | { readonly kind: 'postponed'; readonly reason: string; readonly retryAfterMs: number };

export interface WrongEvent {
  /** Its position in the request. */
  readonly index: number;
  readonly reason: string;
}

export type Failure = Exclude<Outcome['kind'], 'delivered' | 'postponed'>;

/** An event that the platform did not accept although it accepted others of the same request. */
export interface FailedEvent {
  /** Its position in the request. */
  readonly index: number;
  readonly outcome: Extract<Outcome, { readonly kind: Failure }>;
}
