import type { ClickIdName, ClickParameters } from './click-parameters.ts';
import type { Contact } from './contact.ts';
import type { Currency } from './currency.ts';
import type { Sharing } from './sharing.ts';

/** A conversion with its client and lead: the input for the event of a platform. */
export interface AttributedConversion {
  readonly id: number;
  /** The same on every attempt; the partner's pixel may send the same id, and a platform counts each id once. */
  readonly eventId: string;
  readonly externalReference: string | null;
  /** Exact decimal with two places. */
  readonly amount: string;
  readonly currency: Currency;
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

export const clickTimeOf = (
  { clickTimes, createdAt }: Pick<AttributedConversion['lead'], 'clickTimes' | 'createdAt'>,
  name: ClickIdName,
): Date => clickTimes[name] ?? createdAt;
