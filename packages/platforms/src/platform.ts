import type { AttributedConversion, PlatformName } from '@leadback/domain';
import type { z } from 'zod';

/** What a platform made of a request. The adapter judges, the worker acts. */
export type Outcome =
  /** `request`: by which the platform knows it, where it says only later what became of it. */
  | { readonly kind: 'delivered'; readonly request?: string }
  /**
   * An event is wrong, or too old (`eventTooOld`): sending it again would not help. `events`: those that are, where the
   * platform names them.
   */
  | { readonly kind: 'rejected'; readonly reason: string; readonly events?: readonly WrongEvent[] }
  /** Not now: the same request may succeed later. `retryAfterMs` is the platform's own wish. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs?: number }
  /** The platform asks for fewer requests; nothing is wrong. */
  | { readonly kind: 'throttled'; readonly reason: string; readonly retryAfterMs?: number }
  /** The credentials or the configuration are refused: nothing of this connection will pass until they are mended. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing was sent: it is not our turn yet. */
  | { readonly kind: 'postponed'; readonly reason: string; readonly retryAfterMs: number };

export interface WrongEvent {
  /** Its place among those that were sent. */
  readonly index: number;
  readonly reason: string;
}

/** What may be wrong with a request that was sent. */
export type Failure = Exclude<Outcome['kind'], 'delivered' | 'postponed'>;

/** An outcome and what it was read from. `body` is at most 2 KB and free of secrets and personal data. */
export interface Answer {
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly body: string | null;
}

/** One conversion in a platform's own words, ready to be put into a request. */
export type PlatformEvent = Readonly<Record<string, unknown>>;

export type Prepared =
  | { readonly kind: 'event'; readonly event: PlatformEvent }
  /** There is nothing to send, and nothing wrong with that. */
  | { readonly kind: 'skipped'; readonly reason: string };

/** test: the platform only checks what it gets, or shows it apart; it counts nothing. */
export type SendingMode = 'live' | 'test';

/** What a platform found later about events that it had taken. */
export interface Finding {
  /**
   * failed: it could not use them. too_old: nor these, because they occurred too long ago. again: they are to be sent once more, after a pause. refused: it uses none of this
   * connection until the operator has fixed something there. settings: it did not use them, for how the account is set up
   * there, but may use others. warning: it used them all the same.
   */
  readonly meaning: 'failed' | 'too_old' | 'again' | 'refused' | 'settings' | 'warning';
  readonly reason: string;
  /** How many: which of them it does not say. */
  readonly events: number | 'all' | 'some';
  readonly pauseMs?: number;
}

/** What became of a request after the platform had taken it. */
export type RequestStatus =
  /** `events`: how many the request had, 0 where the platform does not say. */
  | { readonly kind: 'final'; readonly events: number; readonly findings: readonly Finding[] }
  | { readonly kind: 'processing' }
  /** Could not be learnt now. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly retryAfterMs?: number };

/** One account's access to a platform. */
export interface PlatformAccess {
  /**
   * Builds the event, or says why there is nothing to send. The same conversion always gives the same event,
   * but for the time of one that lies ahead of this machine's clock. `atMs`: as it was at another time than now.
   */
  prepare(conversion: AttributedConversion, atMs?: number): Prepared;
  /** Sends at least one event, and at most `eventsMax` of its mode, in one request. Never throws for anything that a network or a platform does. */
  send(events: readonly PlatformEvent[]): Promise<Answer>;
  /** Sends something that the platform only checks, or counts as nothing, to see whether live events would pass. */
  check(): Promise<Answer>;
  /** Asks what became of a request, by the name that `delivered` gave it. Never throws for what a network or a platform does. */
  requestStatus?(request: string): Promise<RequestStatus>;
}

/** What an operator does about a refusal. */
export interface Remedy {
  /** Why the platform refuses, and what to do there: whole sentences. */
  readonly words: string;
  /** The settings and credentials that have to be given anew after that. */
  readonly change: readonly string[];
  /** Credentials of several kinds: that which the connection has is given anew as well. */
  readonly credentials?: readonly string[];
}

export interface Platform {
  readonly name: PlatformName;
  /** What people call it. */
  readonly title: string;
  /** The most events that one request of each mode may carry. */
  readonly eventsMax: Readonly<Record<SendingMode, number>>;
  /** How many requests of one account it may be sent at once. */
  readonly requestsMax: number;
  /** How long after a request its `laterVerdict` is worth asking for; left out where there is none. */
  readonly requestStatusAfterMs?: number;
  /** What is public about a connection (ids, names). */
  readonly settingsSchema: z.ZodType;
  /** What is sealed (tokens, secrets). */
  readonly credentialsSchema: z.ZodType;
  /** What is to be done about credentials or a configuration that were `refused` for this reason. */
  remedyFor(reason: string): Remedy;
  /** Takes settings and credentials as stored; throws a ZodError where they do not fit the schemas. */
  access(settings: unknown, credentials: unknown, mode: SendingMode): PlatformAccess;
}
