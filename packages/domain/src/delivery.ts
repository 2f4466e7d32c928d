import type { AdjustmentKind } from './conversion.ts';
import type { Currency } from './currency.ts';
import type { SoldItem } from './items.ts';
import type { ClickIdName, ClickParameters } from './lead.ts';
import { consentWithdrawn, type Contact, type Sharing } from './contact.ts';
import { connectionDeleted, matchKeys, platformNamed } from './connection.ts';

/** The reason of events that are too old for a platform, found before or after sending. */
export const eventTooOld = 'event_too_old';

/** The reason of events whose time has not come yet. */
export const eventEarly = 'early';

/** The reasons of deliveries that nobody can change: a retry would end alike. */
export const finalReasons = [
  eventTooOld,
  'consent',
  consentWithdrawn,
  'before_click',
  'superseded',
  'not_supported',
] as const;

/** The reasons of deliveries that are skipped. The compiler requires a text of each, in each language. */
export const skipReasons = [
  ...finalReasons,
  connectionDeleted,
  'no_match_keys',
  'currency_not_supported',
  'no_lead_event',
  'no_test_mode',
  'no_test_event_code',
  'invalid_amount',
  'nothing_taken_back',
  'refund_event_taken',
  'original_not_delivered',
  'original_uncertain',
  'original_sent_elsewhere',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** The reasons of adjustments that wait, unsent, for the outcome of what was told of their conversion before. */
export const heldReasons = ['original_pending', 'original_unconfirmed', 'earlier_adjustment_pending'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** The outcome of a request to a platform. The adapter reads the response, the worker acts on it. */
export type Outcome =
  /**
   * `request`: the platform's id of the request, if it reports a request status later. `events`: those of the request
   * that the platform did not accept; it accepted all others, which must not be sent again. `warning`: what it accepted
   * only in part, in words for the operator. `warnings`: the same of single events.
   */
  | {
      readonly kind: 'delivered';
      readonly request?: string;
      readonly events?: readonly FailedEvent[];
      readonly warning?: string;
      readonly warnings?: readonly EventWarning[];
    }
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
  /** Nothing was sent, or taken: there is no quota left for now. */
  | { readonly kind: 'postponed'; readonly reason: string; readonly retryAfterMs: number };

export interface WrongEvent {
  /** Its position in the request. */
  readonly index: number;
  readonly reason: string;
}

/** What the platform accepted only in part of one event. */
export interface EventWarning {
  /** Its position in the request. */
  readonly index: number;
  readonly warning: string;
}

export type Failure = Exclude<Outcome['kind'], 'delivered' | 'postponed'>;

/** An event that the platform did not accept although it accepted others of the same request. */
export interface FailedEvent {
  /** Its position in the request. */
  readonly index: number;
  readonly outcome: Extract<Outcome, { readonly kind: Failure }>;
}

/** pending → delivered | failed | skipped. A delivery that waits for a retry is pending. */
export const deliveryStates = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * Outcome of an attempt. throttled: the platform only asks for fewer requests. requeued: not an attempt; an operator
 * requested a retry.
 */
export const attemptOutcomes = ['delivered', 'rejected', 'unavailable', 'throttled', 'refused', 'requeued'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** A client with its lead, and what happened when: what the events of all kinds tell a platform. */
export interface Attributed {
  /** The same on every attempt; a platform counts each id once. */
  readonly eventId: string;
  readonly occurredAt: Date;
  /** ISO 3166-1 alpha-2: the country of national phone numbers. */
  readonly accountCountry: string;
  /** A UUID of the database, which makes our ids unique across installations. */
  readonly installationId: string;
  /** May include contact data of the lead: see `contactToShare`. */
  readonly client: Contact & {
    readonly id: number;
    readonly externalReference: string | null;
  };
  readonly lead: {
    readonly clickParameters: ClickParameters;
    /** Only clicks of earlier visits: see `clickTimeOf`. */
    readonly clickTimes: Readonly<Partial<Record<ClickIdName, Date>>>;
    readonly ipAddress: string | null;
    readonly userAgent: string | null;
    readonly acceptLanguage: string | null;
    readonly referrer: string | null;
    readonly landingUrl: string | null;
    readonly sharing: Sharing;
    readonly createdAt: Date;
  };
}

/** The input for the event of a conversion. */
export interface AttributedConversion extends Attributed {
  readonly kind: 'conversion';
  readonly id: number;
  readonly externalReference: string | null;
  /** Exact decimal with those of its currency. */
  readonly amount: string;
  readonly currency: Currency;
  /** The partner's name for the event, for which a connection may have one at the platform. */
  readonly eventName: string | null;
  /** Whether it is the first sale of a new customer; null: it is not known. Decided once, when the sale was registered. */
  readonly isNewCustomer: boolean | null;
  /** The part of the amount that the account earns; null: the partner did not say. */
  readonly netAmount: string | null;
  /** What was sold; empty: nothing is known. */
  readonly items: readonly SoldItem[];
}

/** The registration of a client: the input for a Lead event. */
export interface AttributedLead extends Attributed {
  readonly kind: 'lead';
}

/** A change of a conversion that was registered before. */
export interface AttributedAdjustment {
  readonly kind: AdjustmentKind;
  readonly id: number;
  /** The new total: an exact decimal. */
  readonly amount: string;
  /** By how much the new total is below every earlier one: an exact decimal, not negative. */
  readonly takenBack: string;
  /** When it was adjusted. */
  readonly occurredAt: Date;
  /** As it was registered, with its original amount. */
  readonly conversion: AttributedConversion;
}

/** What happened, as a platform is told of it. */
export type AttributedEvent = AttributedConversion | AttributedLead | AttributedAdjustment;

/** The client and lead of an event; those of an adjustment are those of its conversion. */
export const attributedOf = (event: AttributedEvent): AttributedConversion | AttributedLead =>
  'conversion' in event ? event.conversion : event;

export const clickTimeOf = (
  { clickTimes, createdAt }: Pick<Attributed['lead'], 'clickTimes' | 'createdAt'>,
  name: ClickIdName,
): Date => clickTimes[name] ?? createdAt;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * The age in milliseconds up to which events are sent to a platform: what it accepts, less an hour for delivery, because
 * one event that is too old may fail its whole request.
 */
export const eventAgeMaxMs = (platform: string): number =>
  (platformNamed(platform)?.eventDaysMax ?? 0) * dayMs - hourMs;

export type MatchKey = (typeof matchKeys)[number];

/** Some match keys, as bits: what is stored for each delivery. */
export type MatchKeySet = number;

/** The set of the keys that have a value: neither `undefined` nor `false`. */
export const matchKeySet = (carried: Readonly<Partial<Record<MatchKey, unknown>>>): MatchKeySet => {
  let set = 0;
  for (const [place, key] of matchKeys.entries()) {
    const value = carried[key];
    if (value !== undefined && value !== false) set += 2 ** place;
  }
  return set;
};

export const hasMatchKey = (set: MatchKeySet, key: MatchKey): boolean =>
  Math.floor(set / 2 ** matchKeys.indexOf(key)) % 2 === 1;

/** The keys by which a platform matches, its click ids first. */
export const matchKeysOf = (platform: string): readonly MatchKey[] => {
  const { clickIds, otherKeys } = platformNamed(platform) ?? { clickIds: [], otherKeys: [] };
  return [...clickIds, ...otherKeys];
};
