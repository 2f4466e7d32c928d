import type { AttributedConversion, PlatformName } from '@leadback/domain';
import type { z } from 'zod';

/** The outcome of a request. The adapter reads the response, the worker acts on it. */
export type Outcome =
  /** `request`: the platform's id of the request, if it reports a request status later. */
  | { readonly kind: 'delivered'; readonly request?: string }
  /**
   * An event is invalid, or too old (`eventTooOld`); a retry would not help. `events`: the invalid ones, if the
   * platform names them.
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

/** `body` is at most 2 KB, without secrets and personal data. */
export interface Answer {
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly body: string | null;
}

/** One conversion in a platform's own format. */
export type PlatformEvent = Readonly<Record<string, unknown>>;

export type Prepared =
  | { readonly kind: 'event'; readonly event: PlatformEvent }
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
   * Builds the event, or returns the reason why there is nothing to send. The same conversion always gives the same
   * event, except for the time of one that is ahead of this machine's clock. `atMs`: the time to assume; default: now.
   */
  prepare(conversion: AttributedConversion, atMs?: number): Prepared;
  /** Sends 1 to `eventsMax` events in one request. Never throws because of the network or the platform. */
  send(events: readonly PlatformEvent[]): Promise<Answer>;
  /**
   * Sends an event that the platform only validates or does not count, to check whether live events would be accepted.
   */
  check(): Promise<Answer>;
  /**
   * Retrieves the status of a request, by the id that `delivered` returned. Never throws because of the network or the
   * platform.
   */
  requestStatus?(request: string): Promise<RequestStatus>;
}

/** How an operator fixes a rejected connection. */
export interface Remedy {
  /** Why the platform rejects the connection and how to fix it, in full sentences. */
  readonly words: string;
  /** The settings and credentials to enter again after the fix. */
  readonly change: readonly string[];
  /** Alternative kinds of credentials, of which the connection has one; that one is entered again as well. */
  readonly credentials?: readonly string[];
}

export interface Platform {
  readonly name: PlatformName;
  /** The display name. */
  readonly title: string;
  /** The maximum number of events per request and mode. */
  readonly eventsMax: Readonly<Record<SendingMode, number>>;
  /** The maximum number of concurrent requests per account. */
  readonly requestsMax: number;
  /** How long after a request to check its status first. Undefined: the platform reports none. */
  readonly requestStatusAfterMs?: number;
  /** Public data of a connection (ids, names). */
  readonly settingsSchema: z.ZodType;
  /** Data that is stored encrypted (tokens, secrets). */
  readonly credentialsSchema: z.ZodType;
  /** How to fix a connection that was `refused` for this reason. */
  remedyFor(reason: string): Remedy;
  /** Takes settings and credentials as stored. Throws a ZodError if they do not match the schemas. */
  access(settings: unknown, credentials: unknown, mode: SendingMode): PlatformAccess;
}
