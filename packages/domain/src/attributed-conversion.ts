import type { ClickIdName, ClickParameters } from './click-parameters.ts';
import type { Contact } from './contact.ts';
import type { Currency } from './currency.ts';
import type { Sharing } from './sharing.ts';

/** A conversion with everything known of the client and the click it came from: what a platform's event is built of. */
export interface AttributedConversion {
  readonly id: number;
  /** The same on every attempt, and shared with the partner's own pixel: a platform counts an id once. */
  readonly eventId: string;
  readonly externalReference: string | null;
  /** Exact decimal with two places. */
  readonly amount: string;
  readonly currency: Currency;
  readonly occurredAt: Date;
  /** ISO 3166-1 alpha-2: whose national numbers the account's clients write. */
  readonly accountCountry: string;
  /** A UUID of the database: makes our own ids distinct from those of any other installation. */
  readonly installationId: string;
  /** Its contact data may come from the lead, see `contactToShare`. */
  readonly client: Contact & {
    readonly id: number;
    readonly externalReference: string | null;
  };
  readonly lead: {
    readonly clickParameters: ClickParameters;
    /** Of clicks that were made on earlier visits; see `clickTimeOf`. */
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

/** When the click that a click id stands for was made. */
export const clickTimeOf = (
  { clickTimes, createdAt }: Pick<AttributedConversion['lead'], 'clickTimes' | 'createdAt'>,
  name: ClickIdName,
): Date => clickTimes[name] ?? createdAt;
