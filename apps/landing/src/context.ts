import type { Keys } from '@leadback/domain';
import type { LandingEvents } from './events.ts';
import type { KeepLead } from './leads/keep-lead.ts';
import type { FindImage } from './pages/image-shelf.ts';
import type { PageBook } from './pages/page-book.ts';
import type { FindPreview } from './pages/page-preview.ts';

/** What the handlers of the landing page work with. */
export interface LandingContext {
  readonly findPage: PageBook['find'];
  readonly findPreview: FindPreview;
  readonly findImage: FindImage;
  readonly keepLead: KeepLead;
  /** Under which lead references are issued. */
  readonly referenceKeys: Keys;
  /** Under which forms are signed. */
  readonly consentKeys: Keys;
  readonly events: LandingEvents;
}
