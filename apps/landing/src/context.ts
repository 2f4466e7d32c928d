import type { Keys } from '@leadback/domain';
import type { LandingEvents } from './events.ts';
import type { StoreLead } from './leads/store-lead.ts';
import type { FindImage } from './pages/image-cache.ts';
import type { PageCache } from './pages/page-cache.ts';
import type { FindPreview } from './pages/page-preview.ts';

/** What the handlers of the landing page work with. */
export interface LandingContext {
  readonly findPage: PageCache['find'];
  readonly findPreview: FindPreview;
  readonly findImage: FindImage;
  readonly storeLead: StoreLead;
  /** Under which lead references are issued. */
  readonly referenceKeys: Keys;
  /** Under which forms are signed. */
  readonly consentKeys: Keys;
  readonly events: LandingEvents;
}
