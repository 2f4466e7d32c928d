import type { Keys } from '@leadback/secrets';
import type { LandingEvents } from './events.ts';
import type { StoreLead } from './leads/store-lead.ts';
import type { FindImage } from './pages/image-cache.ts';
import type { PageCache } from './pages/page-cache.ts';
import type { FindPreview } from './pages/page-preview.ts';
import type { VisitorContext } from './visitor/visitor-context.ts';
import type { AdmitLead } from './visits/lead-limiter.ts';

export interface LandingContext {
  readonly findPage: PageCache['find'];
  readonly findPreview: FindPreview;
  readonly findImage: FindImage;
  readonly storeLead: StoreLead;
  readonly admitLead: AdmitLead;
  /** Issue lead references. */
  readonly referenceKeys: Keys;
  /** Sign consent requests. */
  readonly consentKeys: Keys;
  readonly events: LandingEvents;
  readonly visitor: VisitorContext;
}
