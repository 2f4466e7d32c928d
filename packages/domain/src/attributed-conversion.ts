import type { ClickMarks } from './click-marks.ts';
import type { Currency } from './currency.ts';
import type { Sharing } from './sharing.ts';

/** A conversion with everything known of the client and the click it came from: what a platform's event is built of. */
export interface AttributedConversion {
  readonly id: number;
  readonly externalReference: string | null;
  /** Exact decimal with two places. */
  readonly amount: string;
  readonly currency: Currency;
  readonly createdAt: Date;
  /** ISO 3166-1 alpha-2: whose national numbers the account's clients write. */
  readonly accountCountry: string;
  readonly client: {
    readonly id: number;
    readonly externalReference: string | null;
    readonly name: string | null;
    readonly email: string | null;
    readonly phoneNumber: string | null;
  };
  readonly lead: {
    readonly clickMarks: ClickMarks;
    readonly ipAddress: string | null;
    readonly userAgent: string | null;
    readonly landingUrl: string | null;
    /** Of the click that led to it, which may be older than the visit. */
    readonly clickedAt: Date;
    readonly sharing: Sharing;
    readonly createdAt: Date;
  };
}
