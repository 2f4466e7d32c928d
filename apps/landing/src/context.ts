import type { ConsentRequest, Keys } from '@leadback/secrets';
import type { LandingEvents } from './events.ts';
import type { DatabaseClock } from './leads/database-clock.ts';
import type { StoreLead } from './leads/store-lead.ts';
import type { FindImage } from './pages/image-cache.ts';
import type { PageCache } from './pages/page-cache.ts';
import type { FindPreview } from './pages/page-preview.ts';
import type { VisitorContext } from './visitor/visitor-context.ts';
import type { FormToken } from './visits/form-tokens.ts';
import type { AdmitLead } from './visits/lead-limiter.ts';
import type { AdmitCampaign } from './visits/new-campaigns.ts';
import type { LeadReferences } from './visits/lead-references.ts';

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
