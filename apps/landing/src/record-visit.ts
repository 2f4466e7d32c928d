import type { LandingPage, NewLead } from '@leadback/db';
import { issueLeadReference, withServiceId } from '@leadback/domain';
import type { Click } from './click.ts';
import type { LandingEvents } from './events.ts';

/** What the visitor entered on the page; null where the page did not ask. */
export type Contact = Pick<NewLead, 'name' | 'email' | 'phone' | 'consent'>;

export type RecordVisit = (page: LandingPage, visit: Click & Contact) => Promise<string>;

export interface RecordVisitOptions {
  readonly record: (lead: NewLead) => Promise<string>;
  readonly referenceKey: Buffer;
  readonly events: LandingEvents;
}

/**
 * Records a lead and gives the address to send the visitor on to. A visitor whose lead cannot be recorded is sent on all
 * the same, without a reference: the click was paid for.
 */
export const recordVisit =
  ({ record, referenceKey, events }: RecordVisitOptions): RecordVisit =>
  async (page, visit) => {
    try {
      const reference = await record({
        ...visit,
        accountId: page.account.id,
        landingPageId: page.id,
        reference: issueLeadReference(referenceKey),
      });
      events.leadRecorded(page.mode);
      return withServiceId(page.targetUrl, reference);
    } catch (error) {
      events.leadNotRecorded(page.mode, page.id, error);
      return page.targetUrl;
    }
  };
