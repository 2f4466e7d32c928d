import type { ConsentScope } from './sharing.ts';

/** Where a visitor clicked. */
export interface ClickedPage {
  readonly title: string | null;
  readonly targetUrl: string;
}

export interface VisitorContact {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** What only the visitor that left the lead may see. */
export interface VisitorData extends VisitorContact {
  readonly ipAddress: string | null;
  /** What the advertiser registered of the visitor; null: nobody, or several clients, who may be several persons. */
  readonly registered: VisitorContact | null;
}

/** A lead as it is recorded, for somebody who has its reference. */
export interface VisitorLead extends ClickedPage {
  readonly clickedAt: Date;
  /** The parameters `utm_…`. */
  readonly campaign: Readonly<Record<string, string>>;
  /** Null: the page did not ask. */
  readonly consent: boolean | null;
  readonly consentScope: ConsentScope | null;
  readonly globalPrivacyControl: boolean;
  readonly consentWithdrawnAt: Date | null;
  /** Null: the browser did not prove that it has left the lead. */
  readonly own: VisitorData | null;
  /** The advertising platforms that were told of the lead and its conversions, and when last. */
  readonly told: readonly { readonly platform: string; readonly at: Date }[];
}
