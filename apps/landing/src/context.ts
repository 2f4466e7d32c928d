import type { ConsentRequest, Keys } from '@leadback/domain/keys';
import type { LandingEvents } from './events.ts';
import type { DatabaseClock } from './leads/database-watch.ts';
import type { StoreLead } from './leads/store-lead.ts';
import type { FindImage, PageCache } from './pages/pages.ts';
import type { FindPreview } from './pages/served-page.ts';
import type { VisitorContext } from './visitor/visitor-context.ts';
import type { FormToken } from './visits/form.ts';
import type { AdmitLead, AdmitCampaign, LeadReferences } from './visits/lead.ts';

export interface LandingContext {
  readonly findPage: PageCache['find'];
  readonly findPreview: FindPreview;
  readonly findImage: FindImage;
  readonly storeLead: StoreLead;
  readonly admitLead: AdmitLead;
  readonly admitCampaign: AdmitCampaign;
  readonly references: LeadReferences;
  /** Sign consent requests. */
  readonly consentKeys: Keys;
  readonly issueForm: (request: ConsentRequest) => FormToken;
  readonly events: LandingEvents;
  readonly visitor: VisitorContext;
  readonly nowMs: DatabaseClock['nowMs'];
}
