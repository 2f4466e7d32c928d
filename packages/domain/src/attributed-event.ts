import type { AdjustmentKind } from './adjustment-kind.ts';
import type { ClickIdName, ClickParameters } from './click-parameters.ts';
import type { Contact } from './contact.ts';
import type { Currency } from './currency.ts';
import type { Sharing } from './sharing.ts';

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
  /** Exact decimal with two places. */
  readonly amount: string;
  readonly currency: Currency;
  /** The partner's name for the event, for which a connection may have one at the platform. */
  readonly eventName: string | null;
}

/** The registration of a client: the input for a Lead event. */
export interface AttributedLead extends Attributed {
  readonly kind: 'lead';
}

/** A change of a conversion that was registered before. */
export interface AttributedAdjustment {
  readonly kind: AdjustmentKind;
  readonly id: number;
  /** The new total: an exact decimal with two places. */
  readonly amount: string;
  /** By how much the new total is below every earlier one: an exact decimal with two places, not negative. */
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
